import { describe, expect, it } from 'vitest'
import { serviceCaller } from '../../../packages/tokens/service-caller.ts'
import { renderFragment, renderPage } from '../../../packages/views/render.ts'
import type { Delivery } from '../outbound/delivery.ts'
import { BreakerTable } from './breakers-page.tsx'
import { ChannelFigures, ChannelPage, type ChannelModel } from './channels/channel-page.tsx'
import type { ChannelRow } from './channels/channel-rows.ts'
import { ChannelsPage } from './channels/channels-page.tsx'
import type { FrameModel } from './console-frame.tsx'
import { DeliveriesPage } from './deliveries-page.tsx'
import { SubscriptionsPage, type SubscriptionRow } from './subscriptions-page.tsx'

const at = new Date('2026-03-14T09:26:53Z')
const attack = '<script>alert(1)</script>'
const frame: FrameModel = {
  visitor: { name: 'Operator', caller: serviceCaller({ clientId: 'console', scope: '' }) },
  addresses: {},
  assetUrl: (name) => `/assets/${name}`,
}

const row = (changes: Partial<ChannelRow> = {}, status: ChannelRow['channel']['status'] = 'RUNNING'): ChannelRow => ({
  channel: {
    ...{ id: 'adt', port: 2575, messageType: 'ADT', status, lastMessageAt: at },
    ...{ messagesReceived: 12_345, messagesSucceeded: 12_000, messagesFailed: 345 },
  },
  ...{ framingErrors: 0, isSilent: false, perMinute: [], lastChange: undefined, ...changes },
})
const stats = {
  ...{ duplicates: 1, queued: 2, rejected: 3, bytes: 4_000, activeConnections: 5, framingErrors: 0, since: at },
  ...{ connectionsRefused: 0, tlsFailures: 0 },
  ...{ ackCodes: { AA: 9, AE: 1 }, byTrigger: { [attack]: 1 } },
  durationMs: { avg: 1, p50: 2, p95: 3, p99: 4, max: 5 },
  rate: { m1: 1, m5: 0.5, m15: 0.25 },
}

const onItsOwn = (changes: Partial<ChannelModel> = {}): ChannelModel => ({
  ...{ ...frame, row: row(), stats, noise: [], wasSwitched: false, ...changes },
})

describe('a channel', () => {
  it.each([
    ['RUNNING', 'Listening', 'Pause'],
    ['PAUSED', 'Paused', 'Resume'],
    ['ERROR', 'Cannot listen', 'Pause'],
    ['STOPPED', 'Switched off', 'by configuration'],
  ] as const)('that is %s is said to be "%s" and offers "%s"', (status, words, offer) => {
    const model = { ...frame, rows: [row({}, status)], switched: undefined }
    const html = renderPage(<ChannelsPage model={model} />)
    expect(html).toContain(words)
    expect(html).toContain(offer)
  })

  it('is paused by nobody at once, on its own page either; without scripts its form is there', () => {
    const html = renderPage(<ChannelPage model={onItsOwn()} />)
    expect(html).toContain('data-opens="pause-adt" aria-label="Pause ADT"')
    expect(html).toMatch(/<dialog id="pause-adt".*action="\/console\/channels\/adt\/pause".*<\/dialog>/s)
    expect(html).toMatch(/<noscript>.*action="\/console\/channels\/adt\/pause".*<\/noscript>/s)
    expect(html.match(/channels\/adt\/pause/g), 'there is no other way').toHaveLength(2)
    expect(renderPage(<ChannelPage model={onItsOwn({ row: row({}, 'PAUSED') })} />)).toContain('Resume ADT')
    expect(renderPage(<ChannelPage model={onItsOwn({ row: row({}, 'STOPPED') })} />)).not.toContain('/pause')
  })

  it.each([
    ['PAUSED', 'ADT is paused'],
    ['RUNNING', 'ADT takes messages again'],
    ['ERROR', 'ADT cannot listen'],
  ] as const)('that was switched says so at once: %s', (status, words) => {
    const switched = row({}, status)
    const said = new RegExp(`role="alert".*${words}`, 's')
    expect(renderPage(<ChannelPage model={onItsOwn({ row: switched, wasSwitched: true })} />)).toMatch(said)
    expect(renderPage(<ChannelsPage model={{ ...frame, rows: [switched], switched }} />)).toMatch(said)
    expect(renderPage(<ChannelsPage model={{ ...frame, rows: [switched], switched: undefined }} />)).not.toMatch(said)
  })

  it('that is silent or gets noise says so, and from where', () => {
    const noise = [{ at, kind: 'oversize', peer: '192.0.2.7', length: 16_777_300 } as const]
    const html = renderFragment(
      <ChannelFigures row={row({ isSilent: true, framingErrors: 1 })} stats={stats} noise={noise} />,
    )
    expect(html).toContain('This channel is silent')
    expect(html).toContain('Bytes that were no message: 1 time')
    expect(html).toMatch(/A frame that was too large.*192\.0\.2\.7.*16,777,300/s)
    expect(renderPage(<ChannelPage model={onItsOwn()} />)).not.toContain('The last bytes')
    expect(html).not.toContain(attack)
  })

  it('says that senders were turned away, and where to look', () => {
    const turnedAway = { ...stats, connectionsRefused: 2, tlsFailures: 1 }
    const html = renderFragment(<ChannelFigures row={row()} stats={turnedAway} noise={[]} />)
    expect(html).toContain('3 connections were refused')
    expect(renderFragment(<ChannelFigures row={row()} stats={stats} noise={[]} />)).not.toContain('were refused')
  })

  it('names who switched it', () => {
    const paused = row({ lastChange: { at, by: attack } }, 'PAUSED')
    const html = renderFragment(<ChannelFigures row={paused} stats={stats} noise={[]} />)
    expect(html).toContain('Paused by')
    expect(html).not.toContain(attack)
  })
})

describe('a breaker', () => {
  it.each([
    ['CLOSED', 'Answers', 'Calls go through.'],
    ['HALF-OPEN', 'Being tried', 'A few calls go through to see whether it is well.'],
    ['OPEN', 'Does not answer', 'Messages are accepted and wait in the retry queue.'],
  ] as const)('that is %s is put in words', (state, label, meaning) => {
    const entry = { name: 'fhir-server', state, failureCount: 5, successCount: 0, waiting: 1 } as const
    const html = renderFragment(<BreakerTable rows={[entry]} />)
    expect(html).toContain(label)
    expect(html).toContain(meaning)
    expect(html).toContain('1 message')
  })

  it('of what senders keep says that what they were told AA of waits here', () => {
    const entry = { name: 'consent-service', state: 'OPEN', failureCount: 5, successCount: 0, waiting: 0 } as const
    expect(renderFragment(<BreakerTable rows={[entry]} />)).toContain('waits in the retry queue')
  })
})

const subscription = (changes: Partial<SubscriptionRow['subscription']> = {}): SubscriptionRow => ({
  subscription: {
    ...{ id: 'sub-15', status: 'active', error: undefined, reason: attack, criteria: 'Appointment?status=booked' },
    ...{ channel: 'sms', endpoint: undefined, ...changes },
  },
  counts: { waiting: 1, delivered: 0, dead: 0, skipped: 0, lastDeliveredAt: null },
})

/** All of its deliveries, and nothing was sent again. */
const whole = { status: undefined, superseded: new Set<string>(), resent: undefined }

describe('a subscription', () => {
  it('that does not arrive is marked, and its words are shown as text', () => {
    const html = renderPage(<SubscriptionsPage model={{ ...frame, rows: [subscription({ status: 'error' })] }} />)
    expect(html).toContain('Does not arrive')
    expect(html).not.toContain(attack)
  })

  it('that is not served says why, in the list and on its own page', () => {
    const unserved = subscription({
      status: 'error',
      channel: 'email',
      error: 'A channel of type email is not served.',
    })
    const page = { number: 0, size: 20, totalElements: 0, totalPages: 0 }
    const model = { ...frame, row: unserved, deliveries: [], page, ...whole }
    for (const html of [
      renderPage(<SubscriptionsPage model={{ ...frame, rows: [unserved] }} />),
      renderPage(<DeliveriesPage model={model} />),
    ]) {
      expect(html).toContain('A channel of type email is not served.')
      expect(html).not.toContain('the patient’s own number')
    }
  })

  it.each([
    ['message', 'MSH|', true],
    ['message', '', false],
    ['rest-hook', '', true],
    ['sms', '', false],
  ] as const)('offers to send a dead %s with %j again: %s', (channel, payload, isOffered) => {
    const delivery: Delivery = {
      ...{ id: '0', subscriptionId: 'sub-15', transactionId: 't', patient: null, resource: 'Appointment/1' },
      ...{ versionId: '1', channel, endpoint: '', payload, status: 'dead', lastError: 'No.', attempts: 0 },
      ...{ createdAt: at, nextAttemptAt: null, settledAt: at, answered: null, resentAt: null, resentBy: null },
    }
    const page = { number: 0, size: 20, totalElements: 1, totalPages: 1 }
    const model = { ...frame, row: subscription(), deliveries: [delivery], page, ...whole }
    expect(renderPage(<DeliveriesPage model={model} />).includes('Send again</button>')).toBe(isOffered)
  })

  it.each([
    ['The subscription was switched off or removed.', true],
    ['The receiver sent it itself.', false],
  ])('offers to send again what was left out because of %j: %s', (lastError, isOffered) => {
    const delivery: Delivery = {
      ...{ id: '0', subscriptionId: 'sub-15', transactionId: 't', patient: null, resource: 'Appointment/1' },
      ...{
        versionId: '1',
        channel: 'message',
        endpoint: '',
        payload: 'MSH|',
        status: 'skipped',
        lastError,
        attempts: 1,
      },
      ...{ createdAt: at, nextAttemptAt: null, settledAt: at, answered: null, resentAt: null, resentBy: null },
    }
    const page = { number: 0, size: 20, totalElements: 1, totalPages: 1 }
    const model = { ...frame, row: subscription(), deliveries: [delivery], page, ...whole }
    expect(renderPage(<DeliveriesPage model={model} />).includes('Send again</button>')).toBe(isOffered)
  })

  it('offers to send all again that was given up, says how many were, and none that would undo a newer version', () => {
    const delivery: Delivery = {
      ...{ id: '0', subscriptionId: 'sub-15', transactionId: 't', patient: null, resource: 'Appointment/1' },
      ...{ versionId: '1', channel: 'message', endpoint: '', payload: 'MSH|', status: 'dead', lastError: 'No.' },
      ...{ attempts: 5, createdAt: at, nextAttemptAt: null, settledAt: at, answered: null, resentAt: null },
      resentBy: null,
    }
    const page = { number: 0, size: 20, totalElements: 41, totalPages: 3 }
    const failing = { ...subscription(), counts: { ...subscription().counts, dead: 1_041 } }
    const given = { ...frame, row: failing, deliveries: [delivery], page, status: 'dead' as const }
    const html = (resent: number | undefined) =>
      renderPage(<DeliveriesPage model={{ ...given, superseded: new Set(['0']), resent }} />)
    expect(html(undefined)).toContain('action="/console/subscriptions/sub-15/deliveries/resend"')
    expect(html(undefined)).toContain('A newer version was sent')
    expect(html(undefined)).not.toContain('Send again</button>')
    expect(html(undefined)).toMatch(/aria-current="page"[^>]*>Given up</)
    expect(html(undefined)).toContain('?status=dead&amp;page=1')
    const inFives = { ...given, page: { number: 0, size: 5, totalElements: 41, totalPages: 9 } }
    const shown = renderPage(<DeliveriesPage model={{ ...inFives, superseded: new Set(['0']), resent: undefined }} />)
    expect(shown).toContain('?status=dead&amp;page=1&amp;size=5')
    expect(html(1_000)).toMatch(/1,000 deliveries are sent again[^]*1,041 are still given up/)
    expect(html(0)).toContain('Nothing was sent again')
    const none = { ...given, row: subscription(), superseded: new Set<string>(), resent: undefined }
    expect(renderPage(<DeliveriesPage model={none} />)).not.toContain('Send all given up again')
  })

  it('shows of a delivery neither what was sent nor the number that it went to', () => {
    const delivery: Delivery = {
      ...{ id: '0', subscriptionId: 'sub-15', transactionId: 't', patient: 'Patient/77', resource: 'Appointment/1' },
      ...{ versionId: '1', channel: 'sms', endpoint: 'tel:+254700000000', payload: 'Dear Wanjiru', status: 'waiting' },
      ...{ lastError: 'The gateway answered 503.', attempts: 2, createdAt: at, nextAttemptAt: at, settledAt: null },
      ...{ answered: null, resentAt: at, resentBy: 'admin<b>' },
    }
    const page = { number: 0, size: 20, totalElements: 1, totalPages: 1 }
    const model = { ...frame, row: subscription(), deliveries: [delivery], page, ...whole }
    const html = renderPage(<DeliveriesPage model={model} />)
    expect(html).toContain('The gateway answered 503.')
    expect(html).toContain('Sent again by <bdi>admin&lt;b></bdi>')
    expect(html).toContain('the patient’s own number')
    expect(html).not.toMatch(/Wanjiru|254700000000|Patient\/77/)
    expect(html).not.toContain('Send again</button>')
  })
})
