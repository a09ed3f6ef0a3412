import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import type { Bundle, Patient } from '../../packages/fhir/r4.ts'
import { adtA01, adtA08, oruR01, type Hl7Fields } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { channelIds } from './pipeline/channel.ts'

const messageDeps = { clock: systemClock, ids: systemIds }

describe('a running bridge', () => {
  let corridor: TestCorridor
  let authorization: string

  beforeAll(async () => {
    corridor = await testCorridor()
    authorization = await corridor.bearerFor({ scope: 'system/*.read system/*.write' })
  })
  afterAll(() => corridor[Symbol.asyncDispose]())

  const call = async (method: 'GET' | 'POST', path: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${corridor.url('bridge')}${path}`, { method, headers: { authorization } })
    return (await answer.json()) as Record<string, unknown>
  }
  const sender = () => openHl7Sender({ host: '127.0.0.1', port: corridor.configuration.bridge.channels.adt.port })

  it('answers a message, stores it and has it in its log', async () => {
    await using his = await sender()
    expect(await his.send(adtA01({ controlId: 'FLOW-1' }, messageDeps))).toMatchObject({
      ackCode: 'AA',
      controlId: 'FLOW-1',
    })
    const { content } = await call('GET', '/api/transactions?controlId=FLOW-1')
    expect(content).toMatchObject([{ status: 'SUCCESS', messageType: 'ADT^A01', ackCode: 'AA' }])
    const [{ transactionId } = {}] = content as { transactionId?: string }[]
    expect(await call('GET', `/api/transactions/${transactionId}/attempts`)).toMatchObject([
      { attempt: 1, status: 'SUCCESS', errorCode: null },
    ])
    expect(await call('GET', '/api/transactions?messageType=ADT&errorCode=CONSENT_DENIED')).toMatchObject({
      content: [],
    })
  })

  it('closes the port of a paused channel, and opens it again when it is resumed', async () => {
    await using his = await sender()
    expect(await call('POST', '/api/channels/adt/pause')).toMatchObject({ id: 'adt', status: 'PAUSED' })
    await his.waitForEnd()
    await expect(sender()).rejects.toThrow('ECONNREFUSED')
    expect(await call('POST', '/api/channels/adt/resume')).toMatchObject({ id: 'adt', status: 'RUNNING' })
    await using again = await sender()
    expect(await again.send(adtA08({ controlId: 'FLOW-2' }, messageDeps))).toMatchObject({ ackCode: 'AA' })
  })

  it('knows a channel by its id, its port and the types of its messages', async () => {
    const { port } = corridor.configuration.bridge.channels.adt
    for (const name of ['adt', 'ADT', String(port)]) {
      expect(await call('GET', `/api/channels/${name}`)).toMatchObject({ id: 'adt', port })
      const { content } = await call('GET', `/api/transactions?channelId=${name}&controlId=FLOW-1`)
      expect(content).toMatchObject([{ channelId: 'adt' }])
    }
    expect(await call('GET', '/api/channels/OML')).toMatchObject({ id: 'orm' })
    expect(await call('GET', '/api/channels/99999')).toMatchObject({ status: 404 })
    expect(await call('GET', '/api/transactions?channelId=fax')).toMatchObject({
      status: 400,
      errors: [{ path: 'channelId' }],
    })
  })

  it('writes down who searches for a patient, or in what messages say, and not who reads the list', async () => {
    const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
    onTestFinished(() => database.close())
    const looks = async () =>
      (await database.many<{ what: string }>(sql`select what from bridge.looks`)).map(({ what }) => what)
    await call('GET', '/api/transactions?status=SUCCESS&controlId=FLOW-1')
    expect(await looks()).toEqual([])
    await call('GET', '/api/transactions?patientId=amina-diallo')
    await call('GET', '/api/transactions?q=FLOW')
    expect(await looks()).toEqual(['search', 'search'])
  })

  it('counts what went through a channel', async () => {
    expect(await call('GET', '/api/channels/adt/stats')).toMatchObject({
      ...{ messagesReceived: 2, messagesSucceeded: 2, messagesFailed: 0 },
      ...{ ackCodes: { AA: 2 }, byTrigger: { A01: 1, A08: 1 } },
    })
  })

  it('shows how bytes began that were no message, to who may see messages and with a trace of the look', async () => {
    const bytes = Buffer.from('PID|1||M1')
    {
      await using stranger = await sender()
      await stranger.sendRaw(bytes)
    }
    const path = '/api/channels/adt/framing-errors'
    const ask = async () => (await call('GET', path)) as unknown as Record<string, unknown>[]
    await waitFor(async () => (await ask()).length > 0, { what: 'the first bytes' })
    const firstBytes = bytes.toString('base64')
    expect(await ask()).toEqual([
      { at: expect.any(String), kind: 'noise', peer: '127.0.0.1', length: bytes.length, firstBytes },
    ])
    const reader = { authorization: await corridor.bearerFor({ scope: 'system/*.read' }) }
    expect((await fetch(`${corridor.url('bridge')}${path}`, { headers: reader })).status).toBe(403)
    const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
    onTestFinished(() => database.close())
    expect((await database.many(sql`select 1 from bridge.looks where what = 'noise'`)).length).toBeGreaterThan(1)
  })

  it('tells an administrator how each thing that it needs is, and each part of itself', async () => {
    const headers = { authorization: await corridor.bearerFor({ role: 'ADMIN' }) }
    const ask = async () => (await fetch(`${corridor.url('bridge')}/actuator/health`, { headers })).json()
    const up = { status: 'UP' }
    await expect.poll(ask).toEqual({
      ...up,
      components: {
        ...{ database: up, fhirServer: up, patientIndex: up, consentService: up },
        diskSpace: { ...up, details: expect.objectContaining({ exists: true, threshold: 500_000_000 }) },
        retryQueue: { ...up, details: { depth: 0, threshold: 10_000 } },
        mllp: { ...up, details: Object.fromEntries(channelIds.map((id) => [id, 'RUNNING'])) },
      },
    })
  })

  it('tells alerting how long each stage took, when it last heard of a channel, and of bytes that were no message', async () => {
    const answer = await fetch(`${corridor.url('bridge')}/actuator/prometheus`, { headers: { authorization } })
    const text = await answer.text()
    const told = ['RECEIVE', 'ENRICH', 'TRANSFORM', 'GOVERN', 'PERSIST', 'ACK'].filter((stage) =>
      text.includes(`corridor_bridge_stage_seconds_count{stage="${stage}"} 2`),
    )
    expect(told).toEqual(['RECEIVE', 'ENRICH', 'TRANSFORM', 'GOVERN', 'PERSIST', 'ACK'])
    expect(text).toMatch(/corridor_bridge_last_message_timestamp_seconds\{channel="adt"\} 1\d{9}/)
    expect(text).toContain('corridor_bridge_framing_errors_total{channel="oru"} 0')
  })

  it('tells whoever watches of a message, and then of what was sent because of it', async () => {
    const watching = new AbortController()
    const events = await fetch(`${corridor.url('bridge')}/api/events`, {
      headers: { authorization },
      signal: watching.signal,
    })
    expect(events.headers.get('content-type')).toBe('text/event-stream')
    // docs/operations.md promises it to whoever has nginx in front.
    expect(events.headers.get('x-accel-buffering')).toBe('no')
    const heard = eventsUntil(events, 'event: message')
    await using his = await sender()
    await his.send(adtA01({ controlId: 'FLOW-3', patientId: '990077' }, messageDeps))
    const { transactionId } = JSON.parse((await heard).split('data: ').at(-1) ?? '') as { transactionId: string }
    watching.abort()
    const deliveries = () => call('GET', `/api/transactions/${transactionId}/deliveries`)
    const arrived: unknown = expect.objectContaining({ transactionId, status: 'delivered' })
    await expect.poll(deliveries, { timeout: 10_000 }).toEqual(expect.arrayContaining([arrived]))
  })

  it('tells nothing any more to a watcher whose token was revoked', async () => {
    const asMonitor = { authorization: `Basic ${btoa('svc-monitor:demo')}` }
    const post = (path: string, fields: Record<string, string>) =>
      fetch(`${corridor.url('auth')}${path}`, { method: 'POST', headers: asMonitor, body: new URLSearchParams(fields) })
    const granted = await post('/oauth2/token', { grant_type: 'client_credentials' })
    const { access_token: token } = (await granted.json()) as { access_token: string }
    const headers = { authorization: `Bearer ${token}` }
    const events = await fetch(`${corridor.url('bridge')}/api/events`, { headers })
    expect(events.status).toBe(200)
    expect((await post('/oauth2/revoke', { token })).status).toBe(200)
    const text = await events.text()
    expect(text).toContain('event: channel')
  })

  it('lists subscriptions with their deliveries, and sends one again', async () => {
    type Delivered = { readonly id: string; readonly status: string }
    type Listed = { readonly id: string; readonly delivered: number; readonly error: string | null }
    const subscriptions = (await call('GET', '/api/subscriptions')) as unknown as Listed[]
    expect(subscriptions).toHaveLength(17)
    expect(subscriptions.filter(({ error }) => error !== null)).toEqual([])
    const { id = '' } = subscriptions.find(({ delivered }) => delivered > 0) ?? {}
    type Page = { readonly content: readonly Delivered[]; readonly totalElements: number }
    const deliveries = (await call('GET', `/api/subscriptions/${id}/deliveries`)) as unknown as Page
    expect(deliveries.totalElements).toBeGreaterThan(0)
    const delivery = deliveries.content.find(({ status }) => status === 'delivered')
    expect(delivery).not.toHaveProperty('payload')
    expect(delivery).not.toHaveProperty('patient')
    expect(await call('POST', `/api/deliveries/${delivery?.id}/resend`)).toMatchObject({ status: 'waiting' })
    expect(await call('POST', `/api/deliveries/${crypto.randomUUID()}/resend`)).toMatchObject({ status: 404 })
    expect(await call('GET', '/api/subscriptions/nosuch/deliveries')).toMatchObject({ status: 404 })
    const quiet = await call('GET', '/api/subscriptions/sub-17-provider-directory/deliveries')
    expect(quiet).toMatchObject({ content: [], totalElements: 0 })
    const left = (await call('GET', `/api/subscriptions/${id}/deliveries?status=dead`)) as unknown as Page
    expect(left).toMatchObject({ content: [], totalElements: 0 })
    expect(await call('GET', `/api/deliveries?status=dead&subscription=${id}`)).toMatchObject({ totalElements: 0 })
    expect(await call('GET', '/api/deliveries')).toMatchObject({ content: [], totalElements: 0 })
    const none = { subscriptionId: id, matched: 0, accepted: 0, superseded: 0, deliveryIds: [] }
    expect(await call('POST', `/api/subscriptions/${id}/deliveries/resend`)).toEqual(none)
    expect(await call('POST', '/api/subscriptions/nosuch/deliveries/resend')).toMatchObject({ status: 404 })
  })

  it('keeps what was odd about how a message was written', async () => {
    await using his = await sender()
    const message = adtA08({ controlId: 'FLOW-ODD', patientId: '990177', city: 'Curepipe' }, messageDeps)
    const text = Buffer.from(message).toString().replace('Curepipe', 'S\xe3o \\Z01\\ \\XE3\\')
    expect(await his.send(Buffer.from(text, 'latin1'))).toMatchObject({ ackCode: 'AA' })
    const { content } = await call('GET', '/api/transactions?controlId=FLOW-ODD')
    expect(content).toMatchObject([{ status: 'SUCCESS', warnings: { 'character-set': 1, 'kept-escape': 1 } }])
  })

  describe('a message that comes late', () => {
    /** Sends what was said so many minutes ago, and gives the city that the record has then. */
    const say = async (message: typeof adtA08, minutesAgo: number, fields: Hl7Fields) => {
      await using his = await openHl7Sender({
        host: '127.0.0.1',
        port: corridor.configuration.bridge.channels[message === adtA08 ? 'adt' : 'oru'].port,
      })
      const clock = { ...systemClock, now: () => new Date(Date.now() - minutesAgo * 60_000) }
      expect(await his.send(message(fields, { ...messageDeps, clock }))).toMatchObject({ ackCode: 'AA' })
      const found = await fetch(`${corridor.url('fhir')}/Patient?identifier=${fields.patientId}`, {
        headers: { authorization: await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.read' }) },
      })
      const { entry } = (await found.json()) as Bundle<Patient>
      return entry?.find(({ resource }) => resource?.address !== undefined)?.resource?.address?.[0]?.city
    }

    it('changes nothing that its sender has said again since, and is told from one that came in time', async () => {
      const patientId = '990088'
      expect(await say(adtA08, 30, { patientId, city: 'Enugu' })).toBe('Enugu')
      expect(await say(adtA08, 10, { patientId, city: 'Enugu' })).toBe('Enugu')
      expect(await say(adtA08, 20, { patientId, city: 'Lagos', controlId: 'FLOW-LATE' })).toBe('Enugu')
      expect(await call('GET', '/api/transactions?controlId=FLOW-LATE')).toMatchObject({
        content: [{ status: 'SUCCESS', stale: true }],
      })
      expect(await say(adtA08, 5, { patientId, city: 'Lagos' })).toBe('Lagos')
    })

    it('is not the last word for years because the clock of its sender was wrong', async () => {
      const patientId = '990100'
      const years = 36 * 366 * 24 * 60
      expect(await say(adtA08, -years, { patientId, city: 'Enugu', controlId: 'FLOW-AHEAD' })).toBe('Enugu')
      expect(await call('GET', '/api/transactions?controlId=FLOW-AHEAD')).toMatchObject({
        content: [{ status: 'SUCCESS', warnings: { 'bad-date': 1 } }],
      })
      expect(await say(adtA08, 0, { patientId, city: 'Lagos' })).toBe('Lagos')
    })

    it('is not late because of results, which say nothing about where somebody lives', async () => {
      const patientId = '990099'
      expect(await say(adtA08, 30, { patientId, city: 'Enugu' })).toBe('Enugu')
      expect(await say(oruR01, 10, { patientId, city: 'Enugu' })).toBe('Enugu')
      expect(await say(adtA08, 20, { patientId, city: 'Lagos' })).toBe('Lagos')
    })
  })

  it('lets nobody send again who may only read', async () => {
    const headers = { authorization: await corridor.bearerFor({ scope: 'system/*.read' }) }
    const path = `/api/deliveries/${crypto.randomUUID()}/resend`
    expect((await fetch(`${corridor.url('bridge')}${path}`, { method: 'POST', headers })).status).toBe(403)
  })
})

/** Reads a stream until the event has come, and gives everything up to its end. */
async function eventsUntil({ body }: Response, wanted: string): Promise<string> {
  let heard = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    heard += chunk
    const at = heard.indexOf(wanted)
    if (at !== -1 && heard.includes('\n\n', at)) return heard.slice(0, heard.indexOf('\n\n', at))
  }
  throw new Error(`the stream ended before ${wanted}`)
}
