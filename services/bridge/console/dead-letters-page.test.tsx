import { describe, expect, it } from 'vitest'
import { renderFragment, renderPage } from '../../../packages/views/render.ts'
import type { RetryRun } from '../store/dead-letters.ts'
import { DeadLettersPage } from './dead-letters-page.tsx'
import { RetryRunPage, RunProgress } from './dead-letters-run-page.tsx'
import { attack, frameModel, isText } from './testing/transaction-frame.ts'

const at = new Date('2026-03-04T10:15:00Z')
const group = { errorCode: 'CONSENT_DENIED', facilityCode: 'CENTRAL', count: 3, firstAt: at, lastAt: at, lastId: 'x' }

describe('the dead letters', () => {
  it('lead to the messages of a cause, and send them through once more', () => {
    const html = renderPage(<DeadLettersPage model={{ ...frameModel, groups: [group] }} />)
    expect(html).toContain('3 failed messages')
    expect(html).toContain('/console/messages?status=ERROR&amp;errorCode=CONSENT_DENIED&amp;facilityCode=CENTRAL')
    expect(html).toContain('aria-label="Retry 3 with CONSENT_DENIED from CENTRAL"')
  })

  it('say so when nothing has failed', () => {
    expect(renderPage(<DeadLettersPage model={{ ...frameModel, groups: [] }} />)).toContain('Nothing has failed')
  })

  it('show the names of senders as text', () => {
    const groups = [{ ...group, errorCode: attack, facilityCode: attack, lastId: attack }]
    expect(isText(renderPage(<DeadLettersPage model={{ ...frameModel, groups }} />))).toBe(true)
  })
})

describe('a batch', () => {
  const run: RetryRun = {
    ...{ id: '0190', startedAt: at, startedBy: 'admin', errorCode: 'CONSENT_DENIED', facilityCode: 'CENTRAL' },
    ...{ matched: 3, taken: 3, atWork: 0, waiting: 0, succeeded: 3, failed: 0 },
  }

  it.each<[string, Partial<RetryRun>, string]>([
    ['is through', {}, 'All are through: 3 succeeded.'],
    ['failed in part', { succeeded: 1, failed: 2 }, '2 failed again.'],
    ['found nothing', { matched: 0, taken: 0, succeeded: 0 }, 'nothing to be sent through'],
    ['could not take all', { matched: 5 }, '2 were left alone'],
    ['is under way', { atWork: 2, succeeded: 1 }, '1 of 3 messages'],
  ])('that %s says so', (_what, changes, words) => {
    expect(renderFragment(<RunProgress run={{ ...run, ...changes }} />)).toContain(words)
  })

  it('is fetched anew only while it is under way', () => {
    const shown = (atWork: number) => renderPage(<RetryRunPage model={{ ...frameModel, run: { ...run, atWork } }} />)
    expect(shown(1)).toContain('data-refresh="/console/dead-letters/runs/0190/progress"')
    expect(shown(0)).not.toContain('data-refresh="')
  })
})
