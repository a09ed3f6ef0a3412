import { describe, expect, it } from 'vitest'
import { renderFragment, renderPage } from '../../../../packages/views/render.ts'
import type { RetryRun } from '../../store/retry-runs.ts'
import { DeadLettersPage } from './dead-letters-page.tsx'
import { RetryRunPage, RunProgress } from './dead-letters-run-page.tsx'
import { attack, frameModel, isText } from '../testing/transaction-frame.ts'

const at = new Date('2026-03-04T10:15:00Z')
const group = { errorCode: 'CONSENT_DENIED', facilityCode: 'CENTRAL', count: 3, firstAt: at, lastAt: at, lastId: 'x' }
const run: RetryRun = {
  ...{ id: '0190', startedAt: at, startedBy: 'admin', errorCode: 'CONSENT_DENIED', facilityCode: 'CENTRAL' },
  ...{ matched: 3, notYet: 0, taken: 3, atWork: 0, waiting: 0, succeeded: 3, failed: 0, stoppedAt: null },
  ...{ stoppedBy: null, search: null },
}
const nasty = { errorCode: attack, facilityCode: attack, startedBy: attack }

describe('the dead letters', () => {
  it('lead to the messages of a cause, and send them through once more', () => {
    const html = renderPage(<DeadLettersPage model={{ ...frameModel, groups: [group], hasMore: false, runs: [run] }} />)
    expect(html).toContain('3 failed messages')
    expect(html).toContain('/console/messages?status=DEAD&amp;errorCode=CONSENT_DENIED&amp;facilityCode=CENTRAL')
    expect(html).toContain('/console/dead-letters/runs/0190')
    expect(html).toContain('3 succeeded, 0 failed again')
    expect(html).toContain('aria-label="Retry 3 with CONSENT_DENIED from CENTRAL"')
  })

  it('say how many of them one batch takes', () => {
    const html = renderPage(
      <DeadLettersPage model={{ ...frameModel, groups: [{ ...group, count: 10_001 }], hasMore: false, runs: [] }} />,
    )
    expect(html).toContain('Retry 10,000 of 10,001')
    const all = renderPage(
      <DeadLettersPage model={{ ...frameModel, groups: [{ ...group, count: 10_000 }], hasMore: false, runs: [] }} />,
    )
    expect(all).not.toContain(' of 10,000')
  })

  it('do not count as all what is only the largest part of it', () => {
    const html = renderPage(<DeadLettersPage model={{ ...frameModel, groups: [group], hasMore: true, runs: [] }} />)
    expect(html).toContain('More than 3 failed messages')
    expect(html).toContain('href="/console/messages?status=DEAD"')
  })

  it('say so when nothing has failed', () => {
    expect(renderPage(<DeadLettersPage model={{ ...frameModel, groups: [], hasMore: false, runs: [] }} />)).toContain(
      'Nothing has failed',
    )
  })

  it('do not say of what was given up that it is tried again by itself', () => {
    const groups = [{ ...group, errorCode: 'STORE_UNAVAILABLE' }]
    const html = renderPage(<DeadLettersPage model={{ ...frameModel, groups, hasMore: false, runs: [] }} />)
    expect(html).toContain('then retry')
    expect(html).not.toContain('by itself')
  })

  it('show the names of senders as text', () => {
    const groups = [{ ...group, errorCode: attack, facilityCode: attack, lastId: attack }]
    expect(
      isText(
        renderPage(<DeadLettersPage model={{ ...frameModel, groups, hasMore: false, runs: [{ ...run, ...nasty }] }} />),
      ),
    ).toBe(true)
  })
})

describe('a batch', () => {
  it.each<[string, Partial<RetryRun>, string]>([
    ['is through', {}, 'All are through: 3 succeeded.'],
    ['failed in part', { succeeded: 1, failed: 2 }, '2 failed again.'],
    ['found nothing', { matched: 0, taken: 0, succeeded: 0 }, 'nothing to be sent through'],
    ['could not take all', { matched: 5 }, '2 were left alone'],
    ['is under way', { atWork: 2, succeeded: 1 }, '1 of 3 messages'],
    ['has just begun', { notYet: 3, taken: 0, succeeded: 0 }, '0 of 3 messages'],
    ['was stopped', { notYet: 2, taken: 1, succeeded: 1, stoppedAt: at, stoppedBy: 'admin' }, '2 were not begun'],
  ])('that %s says so', (_what, changes, words) => {
    expect(renderFragment(<RunProgress run={{ ...run, ...changes }} />)).toContain(words)
  })

  it('of a search says what was looked for, as text', () => {
    const search = new URLSearchParams({ status: 'DEAD', from: '2026-03-04', facilityCode: attack }).toString()
    const html = renderPage(<RetryRunPage model={{ ...frameModel, run: { ...run, errorCode: null, search } }} />)
    expect(html).toContain('From day (UTC)')
    expect(html).toContain('<bdi>2026-03-04</bdi>')
    expect(html).toContain('href="/console/messages?')
    expect(isText(html)).toBe(true)
    const list = <DeadLettersPage model={{ ...frameModel, groups: [], hasMore: false, runs: [{ ...run, search }] }} />
    expect(renderPage(list)).toContain('What a search had found')
  })

  it.each<[string, boolean, Partial<RetryRun>]>([
    ['is under way', true, { atWork: 1 }],
    ['has messages whose turn has not come', true, { notYet: 1, taken: 2 }],
    ['is through', false, {}],
    ['was stopped', false, { notYet: 1, taken: 2, stoppedAt: at, stoppedBy: 'admin' }],
  ])('that %s is fetched anew, and can be stopped: %s', (_what, isMoving, changes) => {
    const html = renderPage(<RetryRunPage model={{ ...frameModel, run: { ...run, ...changes } }} />)
    expect(html.includes('data-refresh="/console/dead-letters/runs/0190/progress"')).toBe(isMoving)
    expect(html.includes('/console/dead-letters/runs/0190/stop')).toBe(isMoving)
    expect(html.includes('data-refresh-over')).toBe(!isMoving)
  })
})
