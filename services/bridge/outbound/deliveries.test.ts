import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { forbidden, unavailable, type Fault } from '../../../packages/faults/fault.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { makeCertificate } from '../../../packages/testkit/certificate.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { Subscription } from '../../../ports/fhir-store/resources.ts'
import { subscriptionExtensions } from '../subscriptions/extensions.ts'
import { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import type { Delivery } from './delivery.ts'
import { appointment, document, encounter, prescription } from './testing/clinical-resources.ts'
import { dispatchWorld, storeWorld, type DispatchWorld, type StoreWorld } from './testing/dispatch-world.ts'
import { countDeliveriesOf } from './store/deliveries.ts'
import { closingReceiver, httpReceiver, mllpReceiver } from './testing/receivers.ts'

let store: StoreWorld
let world: DispatchWorld
let clock: SimulatedClock
beforeAll(async () => {
  store = await storeWorld()
})
afterAll(() => store[Symbol.asyncDispose]())
beforeEach(async () => {
  clock = new SimulatedClock('2026-03-04T05:00:00Z')
  // Without the embedded receivers the seeded ones are off: each test has its own subscription.
  world = await dispatchWorld(store, { clock, outbound: { sink: false, retryBaseMs: 1_000, retryMaxMs: 300_000 } })
})
afterEach(async () => {
  await world[Symbol.asyncDispose]()
  await store.fhirStore.remove('Subscription', 'own')
})

const subscribe = (endpoint: string, given: Partial<Omit<Subscription, 'id'>> = {}) =>
  store.fhirStore.update<Subscription>({
    resourceType: 'Subscription',
    id: 'own',
    status: 'requested',
    reason: 'Test',
    criteria: endpoint.startsWith('mllp') ? 'MedicationRequest?status=active' : 'DocumentReference?status=current',
    channel: {
      type: endpoint.startsWith('mllp') ? 'message' : 'rest-hook',
      endpoint,
      payload: 'application/fhir+json',
    },
    ...given,
  })

const stored = async () => store.fhirStore.read<Subscription>('Subscription', 'own')
const own = async (transactionId: string) =>
  (await world.dispatch.listDeliveries(transactionId)).find(({ subscriptionId }) => subscriptionId === 'own')

/** Moves time on until the delivery of the message has this status. */
const settled = (transactionId: string, status: Delivery['status']) =>
  waitFor(
    async () => {
      // Longer than the longest wait between two of five attempts.
      await clock.leap(10_000)
      await world.dispatch.drain()
      const delivery = await own(transactionId)
      return delivery?.status === status ? delivery : undefined
    },
    { everyMs: 5, what: `the delivery to be ${status}`, deadlineMs: 15_000 },
  )

const of = (patient: string, id: string, description?: string) => ({
  ...document('current'),
  id,
  ...(description === undefined ? {} : { description }),
  subject: { reference: `Patient/${patient}` },
})

describe('a delivery over MLLP', () => {
  it('is sent again after AE, with the same control id, and once only after AA', async () => {
    await using receiver = await mllpReceiver((_, count) => (count === 1 ? 'AE' : 'AA'))
    await subscribe(receiver.endpoint)
    const id = await world.message([prescription('active')])
    expect(await own(id)).toMatchObject({ status: 'waiting', attempts: 1, lastError: 'The receiver answered AE.' })
    expect(await settled(id, 'delivered')).toMatchObject({ attempts: 2, answered: 'AA', lastError: null })
    const [first, second, ...more] = receiver.received.map((message) => message.getText('MSH-10'))
    expect(first).toBe(second)
    expect(more).toEqual([])
    expect(await stored()).toMatchObject({ status: 'active' })
  })

  it('is dead after AR, and after no answer at all for five times', async () => {
    await using receiver = await mllpReceiver(() => 'AR')
    await subscribe(receiver.endpoint)
    const refused = await world.message([prescription('active')])
    expect(await own(refused)).toMatchObject({ status: 'dead', attempts: 1 })
    await using mute = await closingReceiver(() => false)
    await subscribe(mute.endpoint)
    await clock.leap(15_000)
    const unanswered = await world.message([prescription('active', 'Ramipril 5 mg')])
    expect(await settled(unanswered, 'dead')).toMatchObject({ attempts: 5 })
  })
})

describe('a delivery over MLLP with TLS', () => {
  it('shows the certificate of the bridge to a receiver that asks for one, and says when TLS is what fails', async () => {
    const authority = await makeCertificate({ name: 'authority' })
    const theirs = await makeCertificate({ name: 'localhost', issuer: authority })
    const ours = await makeCertificate({ name: 'corridor', issuer: authority })
    const folder = await mkdtemp(join(tmpdir(), 'corridor-deliveries-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = async (name: string, text: string) => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    }
    const names = {
      mllpCaFile: await file('ca.pem', authority.cert),
      mllpCertificateFile: await file('cert.pem', ours.cert),
      mllpKeyFile: await file('key.pem', ours.key),
    }
    const tls = { cert: theirs.cert, key: theirs.key, clientCa: authority.cert }
    await using receiver = await mllpReceiver(() => 'AA', tls)
    await subscribe(receiver.endpoint)
    const only = { mllpCaFile: names.mllpCaFile, mllpKeyFile: names.mllpKeyFile }
    await expect(dispatchWorld(store, { outbound: only })).rejects.toThrow('mllpKeyFile go together')
    for (const [outbound, expected] of [
      [names, { status: 'delivered' }],
      [{ mllpCaFile: names.mllpCaFile }, { lastError: expect.stringContaining('TLS') }],
    ] as const) {
      await using other = await dispatchWorld(store, { outbound: { sink: false, ...outbound } })
      const id = await other.message([prescription('active')])
      const deliveries = await other.dispatch.listDeliveries(id)
      expect(deliveries.find(({ subscriptionId }) => subscriptionId === 'own')).toMatchObject(expected)
    }
  })
})

describe('a delivery over REST', () => {
  it('puts the resource under the endpoint, with its key, its headers and the hop', async () => {
    await using receiver = await httpReceiver(() => 201)
    await subscribe(receiver.endpoint, {
      channel: {
        ...{ type: 'rest-hook', endpoint: receiver.endpoint, payload: 'application/fhir+json' },
        header: ['Authorization: Bearer secret', 'Host: elsewhere', 'no header'],
      },
    })
    const id = await world.message([of('a', 'doc-1')])
    const [request] = receiver.received
    expect(request).toMatchObject({ method: 'PUT', path: '/hook/DocumentReference/doc-1' })
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'idempotency-key': (await own(id))?.id,
      host: new URL(receiver.endpoint).host,
    })
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      meta: { tag: [{ system: 'urn:corridor:hop', code: 'HIE' }] },
    })
  })

  it.each([
    ['?code=KEY', '/hook/DocumentReference/doc-q?code=KEY'],
    ['/?code=KEY&on=a/b', '/hook/DocumentReference/doc-q?code=KEY&on=a/b'],
    ['//', '/hook/DocumentReference/doc-q'],
  ])('puts the resource under an endpoint that ends with %s', async (end, path) => {
    await using receiver = await httpReceiver(() => 200)
    await subscribe(`${receiver.endpoint}${end}`)
    await world.message([of('a', 'doc-q', end)])
    expect(receiver.received).toMatchObject([{ method: 'PUT', path }])
  })

  it('has arrived when its receiver takes it, however much that one sends back', async () => {
    await using receiver = await httpReceiver(({ body }) => ({ status: 201, body: body.padEnd(200_000) }))
    await subscribe(receiver.endpoint)
    const id = await world.message([of('a', 'doc-large')])
    expect(await own(id)).toMatchObject({ status: 'delivered', attempts: 1, answered: '201' })
    expect(receiver.received).toMatchObject([{ headers: { prefer: 'return=minimal' } }])
  })

  it('without a payload only says that there is something', async () => {
    await using receiver = await httpReceiver(() => 200)
    await subscribe(receiver.endpoint, { channel: { type: 'rest-hook', endpoint: receiver.endpoint } })
    await world.message([of('a', 'doc-2')])
    expect(receiver.received).toMatchObject([{ method: 'POST', path: '/hook', body: '' }])
  })

  it('that fails holds back its own patient and nobody else, until it is dead', async () => {
    let isMended = false
    await using receiver = await httpReceiver(({ path }) => (path.includes('bad') && !isMended ? 500 : 200))
    await subscribe(receiver.endpoint)
    const poison = await world.message([of('a', 'bad')], { patient: 'Patient/a' })
    const behind = await world.message([of('a', 'good-a')], { patient: 'Patient/a' })
    const other = await world.message([of('b', 'good-b')], { patient: 'Patient/b' })
    expect(await own(other)).toMatchObject({ status: 'delivered' })
    expect(await own(behind)).toMatchObject({ status: 'waiting', attempts: 0 })
    expect(await settled(poison, 'dead')).toMatchObject({ attempts: 5 })
    await settled(behind, 'delivered')
    const { id } = await settled(poison, 'dead')
    const resent = { resentAt: expect.any(Date), resentBy: 'admin' }
    expect(await world.dispatch.resend(id, 'admin')).toMatchObject({ attempts: 0, ...resent })
    await expect(world.dispatch.resend(id, 'other')).rejects.toMatchObject({ kind: 'conflict' })
    // Not before: who is quick would find it delivered, and may send that again.
    isMended = true
    expect(await settled(poison, 'delivered')).toMatchObject({ answered: '200', ...resent })
    await expect(world.dispatch.resend('00000000-0000-8000-8000-000000000000', 'admin')).rejects.toMatchObject({
      kind: 'missing',
    })
  })

  it.each([
    ['as long as its receiver asks for', '120', 120],
    ['no more than an hour because of it', '999999999', 3_600],
  ])('waits %s', async (_, retryAfter, seconds) => {
    await using receiver = await httpReceiver(() =>
      receiver.received.length === 1 ? { status: 429, headers: { 'retry-after': retryAfter } } : 200,
    )
    await subscribe(receiver.endpoint)
    const id = await world.message([of('a', `asked-${seconds}`)])
    const waiting = await own(id)
    expect(waiting).toMatchObject({ status: 'waiting', attempts: 1 })
    expect(waiting?.nextAttemptAt).toEqual(new Date(clock.now().getTime() + seconds * 1_000))
    await clock.leap(seconds * 1_000 - 1)
    await world.dispatch.drain()
    expect(receiver.received).toHaveLength(1)
    expect(await settled(id, 'delivered')).toMatchObject({ attempts: 2 })
  })

  it('that fails again and again puts the subscription into error, and one that arrives takes it out', async () => {
    let status = 404
    await using receiver = await httpReceiver(() => status)
    await subscribe(receiver.endpoint)
    for (const name of ['x', 'y', 'z']) await world.message([of('a', `dead-${name}`)])
    expect(await stored()).toMatchObject({ status: 'error', error: expect.stringContaining('404') })
    status = 200
    await clock.leap(15_000)
    await world.message([of('a', 'alive')])
    const after = await stored()
    expect(after).toMatchObject({ status: 'active' })
    expect(after).not.toHaveProperty('error')
  })

  it('that arrives with many others takes the subscription out of error once', async () => {
    await subscribe('http://127.0.0.1:9/', { status: 'error', error: 'The last 3 deliveries failed.' })
    const { fhirStore } = store
    const book = new SubscriptionBook({
      fhirStore,
      clock,
      log: world.log.log,
      refusal: () => undefined,
      criteriaRefusal: async () => undefined,
    })
    const before = Number((await stored())?.meta?.versionId)
    await Promise.all(Array.from({ length: 10 }, () => book.markActive('own')))
    const after = await stored()
    expect([after?.status, Number(after?.meta?.versionId)]).toEqual(['active', before + 1])
    expect(world.log.events('status of a subscription not written')).toEqual([])
  })

  it('is made by a change of the subscription within half a minute, and by its end no more', async () => {
    await using receiver = await httpReceiver(() => 200)
    await world.message([of('a', 'before')])
    await subscribe(receiver.endpoint)
    await clock.leap(15_000)
    await world.message([of('a', 'while')])
    const now = await stored()
    if (now !== undefined) await store.fhirStore.update({ ...now, id: 'own', status: 'off' })
    await clock.leap(15_000)
    await world.message([of('a', 'after')])
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook/DocumentReference/while'])
  })
})

describe('a delivery to a receiver that is away', () => {
  const hourMs = 3_600_000
  const mllpAt = (port: number) => mllpReceiver(() => 'AA', undefined, port)
  const httpAt = (port: number) => httpReceiver(() => 200, port)
  const prescribed = (patient: string, text: string) => ({
    ...prescription('active', text),
    ...{ id: `away-${patient}`, subject: { reference: `Patient/${patient}` } },
  })

  it.each([
    ['MLLP', 'mllp', mllpAt, prescribed],
    ['REST', 'http', httpAt, (patient: string, id: string) => of(patient, `away-${id}`)],
  ] as const)(
    'waits over %s without an attempt, and all go out in order when it is back',
    async (_, scheme, at, made) => {
      const port = await freePort()
      await subscribe(`${scheme}://127.0.0.1:${port}/hook`)
      const ids: string[] = []
      for (const name of ['a', 'a', 'b']) {
        const about = { patient: `Patient/${name}` }
        ids.push(await world.message([made(name, `${name}${ids.length}`)], about))
      }
      for (let hours = 0; hours < 12; hours++) {
        await clock.leap(hourMs)
        await world.dispatch.drain()
      }
      const [first, second] = [await own(ids[0] ?? ''), await own(ids[1] ?? '')]
      expect(first).toMatchObject({ status: 'waiting', attempts: 0, lastError: expect.stringContaining('reached') })
      expect(first?.nextAttemptAt?.getTime()).toBeGreaterThan(clock.now().getTime())
      expect(second).toMatchObject({ status: 'waiting', attempts: 0 })
      expect(await stored()).toMatchObject({ status: 'error', error: expect.stringContaining('reached') })
      // One line for all of it, however often it was looked for.
      expect(world.log.events('receiver is away')).toMatchObject([{ host: `127.0.0.1:${port}` }])
      await using receiver = await at(port)
      for (const id of ids) await settled(id, 'delivered')
      expect(receiver.received).toHaveLength(3)
      expect(world.log.events('receiver is back')).toHaveLength(1)
      expect(await own(ids[2] ?? '')).toMatchObject({ status: 'delivered', attempts: 1 })
      expect((await stored())?.status).toBe('active')
    },
  )

  it('waits as a short message until the gateway is back', async () => {
    const port = await freePort()
    const outbound = { sink: false, retryBaseMs: 1_000, smsGatewayUrl: `http://127.0.0.1:${port}/sms` }
    await using texting = await dispatchWorld(store, { clock, outbound })
    const channel = { type: 'sms' as const, endpoint: 'tel:+99900000002' }
    await subscribe('', { criteria: 'Appointment?status=booked', channel })
    const id = await texting.message([appointment('booked')])
    const told = async () => (await texting.dispatch.listDeliveries(id)).find((one) => one.subscriptionId === 'own')
    await clock.leap(hourMs)
    await texting.dispatch.drain()
    expect(await told()).toMatchObject({ status: 'waiting', attempts: 0 })
    await using gateway = await httpAt(port)
    await clock.leap(hourMs)
    await texting.dispatch.drain()
    expect(await told()).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(gateway.received).toHaveLength(1)
  })

  it('is dead when it has waited for days, and one that was sent again waits anew', async () => {
    await subscribe(`http://127.0.0.1:${await freePort()}/hook`)
    const id = await world.message([of('a', 'lost')])
    const after = async (times: number) => {
      for (let time = 0; time < times; time++) {
        await clock.leap(10 * hourMs)
        await world.dispatch.drain()
      }
      return own(id)
    }
    expect(await after(7)).toMatchObject({ status: 'waiting' })
    const dead = await after(1)
    expect(dead).toMatchObject({ status: 'dead', lastError: expect.stringContaining('reached') })
    await world.dispatch.resend(dead?.id ?? '', 'admin')
    await world.dispatch.drain()
    expect(await after(7)).toMatchObject({ status: 'waiting', attempts: 0 })
  })
})

it('a receiver that is silent keeps nothing waiting that is meant for others, however much there is for it', async () => {
  await using silent = await mllpReceiver(() => undefined)
  await using receiver = await httpReceiver(() => 200)
  const { endpoint } = receiver
  await subscribe(silent.endpoint)
  await store.fhirStore.update<Subscription>({
    ...{ resourceType: 'Subscription', id: 'other', status: 'requested', reason: 'Test' },
    ...{ criteria: 'DocumentReference?status=current', channel: { type: 'rest-hook', endpoint } },
  })
  onTestFinished(() => store.fhirStore.remove('Subscription', 'other'))
  for (let number = 0; number < 100; number++) {
    const about = { id: `many-${number}`, subject: { reference: `Patient/many-${number}` } }
    void world.message([{ ...prescription('active'), ...about }], { patient: `Patient/many-${number}` })
  }
  const waiting = () => world.dispatch.findDeliveries({ subscriptionId: 'own', status: 'waiting' }, { limit: 200 })
  await waitFor(async () => silent.received.length > 0 && (await waiting()).length === 100, { what: 'all of them' })
  const sinceMs = clock.monotonicMs()
  void world.message([of('a', 'urgent')], { patient: 'Patient/a' })
  const arrived = async () => {
    await clock.leap(250)
    return receiver.received.length > 0
  }
  await waitFor(arrived, { everyMs: 5, what: 'what is meant for the other' })
  // Long before the silent one has had the time in which it may answer.
  expect(clock.monotonicMs() - sinceMs).toBeLessThan(10_000)
  expect(silent.received).toHaveLength(1)
})

describe('what was given up of a subscription', () => {
  it('is sent again together, in its order, except what would undo a newer version', async () => {
    let status = 404
    await using receiver = await httpReceiver(() => status)
    await subscribe(receiver.endpoint)
    await world.message([of('a', 'old', 'before')])
    for (const text of ['first', 'second']) await world.message([of('a', 'both', text)])
    status = 200
    await world.message([of('a', 'old', 'after')])
    receiver.received.length = 0
    expect(await world.dispatch.resendDead('own', 'admin')).toMatchObject({ matched: 3, accepted: 2, superseded: 1 })
    await world.dispatch.drain()
    const told = receiver.received.map(({ body }) => (JSON.parse(body) as { description: string }).description)
    expect(told).toEqual(['first', 'second'])
    const found = await world.dispatch.findDeliveries({ subscriptionId: 'own', status: 'dead' }, { limit: 10 })
    expect(found).toMatchObject([{ resource: 'DocumentReference/old', versionId: expect.any(String) }])
    expect(await world.dispatch.findDeliveries({ status: 'dead' }, { limit: 10 })).toEqual(found)
    expect(await world.dispatch.findDeliveries({ status: 'delivered' }, { limit: 10 })).toHaveLength(3)
    expect(await world.dispatch.resendDead('own', 'admin')).toMatchObject({ matched: 1, accepted: 0, superseded: 1 })
    await subscribe(receiver.endpoint, { status: 'off' })
    await clock.leap(15_000)
    await expect(world.dispatch.resendDead('own', 'admin')).rejects.toMatchObject({ code: 'SUBSCRIPTION_OFF' })
  })
})

describe('a delivery of an older version', () => {
  /** The first version is refused for good; how the second one fares is said. */
  async function twoVersions(second: number, payload?: string) {
    const statuses = [404, second]
    const receiver = await httpReceiver(() => statuses.shift() ?? 200)
    onTestFinished(() => receiver[Symbol.asyncDispose]())
    const { endpoint } = receiver
    await subscribe(endpoint, { channel: { type: 'rest-hook', endpoint, ...(payload && { payload }) } })
    const [older, newer] = [
      await world.message([of('a', 'changed', 'before')]),
      await world.message([of('a', 'changed', 'after')]),
    ]
    const id = (await own(older))?.id ?? ''
    return { receiver, older, newer, resend: () => world.dispatch.resend(id, 'admin') }
  }
  const json = 'application/fhir+json'

  it.each([
    ['has arrived', 200, 'delivered'],
    ['is on its way', 503, 'waiting'],
  ] as const)('is not sent again when a newer one %s', async (_, status, state) => {
    const { receiver, newer, resend } = await twoVersions(status, json)
    expect(await own(newer)).toMatchObject({ status: state })
    await expect(resend()).rejects.toMatchObject({ kind: 'conflict', code: 'DELIVERY_SUPERSEDED' })
    await world.dispatch.drain()
    expect(receiver.received).toHaveLength(2)
  })

  it('is sent again when the newer one did not arrive either, and the newer one after it', async () => {
    const { receiver, older, newer, resend } = await twoVersions(404, json)
    await resend()
    await world.dispatch.drain()
    expect(await own(older)).toMatchObject({ status: 'delivered' })
    await world.dispatch.resend((await own(newer))?.id ?? '', 'admin')
    await world.dispatch.drain()
    const told = receiver.received.map(({ body }) => (JSON.parse(body) as { description: string }).description)
    expect(told).toEqual(['before', 'after', 'before', 'after'])
    await expect(resend()).rejects.toMatchObject({ code: 'DELIVERY_SUPERSEDED' })
  })

  it('is left out when a newer one, which was written for another patient and did not wait for it, has arrived', async () => {
    await using receiver = await httpReceiver(() => (receiver.received.length === 1 ? 503 : 200))
    await subscribe(receiver.endpoint)
    const before = await world.message([of('a', 'passed-on', 'before')], { patient: 'Patient/a' })
    const after = await world.message([of('b', 'passed-on', 'after')], { patient: 'Patient/b' })
    const behind = await world.message([of('a', 'behind', 'behind')], { patient: 'Patient/a' })
    expect([await own(before), await own(after)]).toMatchObject([{ status: 'waiting' }, { status: 'delivered' }])
    const lastError = 'The receiver has a newer version of it by now.'
    expect(await settled(before, 'skipped')).toMatchObject({ lastError })
    await settled(behind, 'delivered')
    const told = receiver.received.map(({ body }) => (JSON.parse(body) as { description: string }).description)
    expect(told).toEqual(['before', 'after', 'behind'])
  })

  it('is sent again where nothing goes along that could be old', async () => {
    const { older, resend } = await twoVersions(200)
    await resend()
    await world.dispatch.drain()
    expect(await own(older)).toMatchObject({ status: 'delivered' })
  })

  it.each<[string, { isRerun?: true }, string]>([
    ['of the same words', {}, 'The same was told of the visit before.'],
    [
      'of a message that was run again',
      { isRerun: true },
      'The message was run again: who is told by short messages was told before.',
    ],
  ])('is sent again as a short message where the newer one, %s, was left out because of it', async (_, about, why) => {
    let status = 503
    await using gateway = await httpReceiver(() => status)
    const outbound = { sink: false, retryBaseMs: 1_000, smsGatewayUrl: `${gateway.endpoint}/sms` }
    await using texting = await dispatchWorld(store, { clock, outbound })
    const channel = { type: 'sms' as const, endpoint: 'tel:+99900000004' }
    await subscribe('', { criteria: 'Encounter?class=EMER&status=arrived,triaged', channel })
    const visit = (now: 'arrived' | 'triaged') => ({
      ...encounter(now, 'EMER'),
      id: `texted-${about.isRerun === true}`,
    })
    const told = async (id: string) =>
      (await texting.dispatch.listDeliveries(id)).find(({ subscriptionId }) => subscriptionId === 'own')
    const arrived = await texting.message([visit('arrived')])
    const triaged = await texting.message([visit('triaged')], about)
    expect(await told(triaged)).toMatchObject({ status: 'skipped', lastError: why })
    status = 404
    await clock.leap(10_000)
    await texting.dispatch.drain()
    const dead = await told(arrived)
    expect(dead).toMatchObject({ status: 'dead' })
    status = 200
    await texting.dispatch.resend(dead?.id ?? '', 'admin')
    await texting.dispatch.drain()
    expect(await told(arrived)).toMatchObject({ status: 'delivered' })
  })
})

describe('what is no longer so', () => {
  const hourMs = 3_600_000
  const noLongerSo = 'The record has changed since: what it tells is no longer so.'
  const later = async () => {
    await clock.leap(hourMs)
    await world.dispatch.drain()
  }

  it.each([
    ['a prescription that was stopped', 'stopped', () => store.fhirStore.update(made('stopped')), noLongerSo],
    [
      'what was deleted',
      'deleted',
      () => store.fhirStore.remove('MedicationRequest', 'deleted'),
      'What it tells of was deleted since.',
    ],
  ])('is not sent when it has waited: %s', async (_, name, change, lastError) => {
    await subscribe(`mllp://127.0.0.1:${await freePort()}`)
    const id = await world.message([{ ...made('active'), id: name }])
    await change()
    expect(await own(id)).toMatchObject({ status: 'waiting' })
    await later()
    expect(await own(id)).toMatchObject({ status: 'skipped', lastError })
  })

  const made = (status: 'active' | 'stopped', text?: string) => ({ ...prescription(status, text), id: 'stopped' })

  it('is not sent again, neither alone nor with all that was given up', async () => {
    await using receiver = await mllpReceiver(() => 'AR')
    await subscribe(receiver.endpoint)
    const id = await world.message([made('active')])
    await store.fhirStore.update(made('stopped'))
    const { id: deliveryId = '' } = (await own(id)) ?? {}
    const refused = { kind: 'conflict', code: 'DELIVERY_SUPERSEDED', shown: noLongerSo }
    await expect(world.dispatch.resend(deliveryId, 'admin')).rejects.toMatchObject(refused)
    expect(await own(id)).toMatchObject({ status: 'dead', resentAt: null })
    expect(await world.dispatch.resendDead('own', 'admin')).toMatchObject({ matched: 1, accepted: 1 })
    await world.dispatch.drain()
    expect(await own(id)).toMatchObject({ status: 'skipped', lastError: noLongerSo })
    expect(receiver.received).toHaveLength(1)
  })

  it('is not what has a newer version that is asked for as well: both go out in their order', async () => {
    const port = await freePort()
    await subscribe(`mllp://127.0.0.1:${port}`)
    const ids = [await world.message([made('active', 'First')]), await world.message([made('active', 'Second')])]
    await later()
    await using receiver = await mllpReceiver(() => 'AA', undefined, port)
    for (const id of ids) await settled(id, 'delivered')
    expect(receiver.received.map((message) => message.getText('RXE-2.2'))).toEqual(['First', 'Second'])
  })

  it('was never told: a visit that comes back is one of which its receiver hears for the first time', async () => {
    const port = await freePort()
    await subscribe(`mllp://127.0.0.1:${port}`, { criteria: 'Encounter?status=in-progress' })
    const visit = { ...encounter('in-progress', 'IMP'), id: 'comes-back' }
    const admitted = await world.message([visit])
    await store.fhirStore.update({ ...visit, status: 'finished' })
    await later()
    expect(await own(admitted)).toMatchObject({ status: 'skipped', lastError: noLongerSo })
    await using receiver = await mllpReceiver(() => 'AA', undefined, port)
    await settled(await world.message([visit]), 'delivered')
    expect(receiver.received.map((message) => message.getText('EVN-1'))).toEqual(['A01'])
  })

  it('waits where the store cannot be asked whether it is so', async () => {
    let isAway = false
    const fhirStore: StoreWorld['fhirStore'] = {
      ...store.fhirStore,
      transaction: async (bundle, call) => {
        if (isAway) throw unavailable('The store is away.')
        return store.fhirStore.transaction(bundle, call)
      },
    }
    const outbound = { sink: false, retryBaseMs: 1_000, retryMaxMs: 300_000 }
    await using other = await dispatchWorld({ ...store, fhirStore }, { clock, outbound })
    let code: 'AE' | 'AA' = 'AE'
    await using receiver = await mllpReceiver(() => code)
    await subscribe(receiver.endpoint)
    const id = await other.message([made('active')])
    isAway = true
    code = 'AA'
    const told = async () => {
      await clock.leap(hourMs)
      await other.dispatch.drain()
      return (await other.dispatch.listDeliveries(id)).find(({ subscriptionId }) => subscriptionId === 'own')
    }
    expect(await told()).toMatchObject({ status: 'waiting', attempts: 1, lastError: 'The store is away.' })
    isAway = false
    expect(await told()).toMatchObject({ status: 'delivered', attempts: 2 })
  })

  it('is no reminder of an appointment that has begun, or that was cancelled, while the gateway was away', async () => {
    const port = await freePort()
    const outbound = { sink: false, retryBaseMs: 1_000, smsGatewayUrl: `http://127.0.0.1:${port}/sms` }
    await using texting = await dispatchWorld(store, { clock, outbound })
    await subscribe('', {
      criteria: 'Appointment?status=booked',
      channel: { type: 'sms', endpoint: 'tel:+99900000002' },
    })
    const at = (id: string, start: string) => ({ ...appointment('booked'), id, start })
    const ids = []
    for (const [name, start] of [
      ['begun', '2026-03-04T05:30:00Z'],
      ['cancelled', '2026-03-05T05:00:00Z'],
      ['ahead', '2026-03-05T05:00:00Z'],
    ] as const) {
      ids.push(await texting.message([at(name, start)], { patient: `Patient/${name}` }))
    }
    await store.fhirStore.update({ ...at('cancelled', '2026-03-05T05:00:00Z'), status: 'cancelled' })
    await using gateway = await httpReceiver(() => 200, port)
    await clock.leap(hourMs)
    await texting.dispatch.drain()
    const ends = (await Promise.all(ids.map((id) => texting.dispatch.listDeliveries(id)))).flat()
    expect(ends.map(({ status, lastError }) => [status, lastError])).toEqual([
      ['skipped', 'The appointment has begun or is over.'],
      ['skipped', noLongerSo],
      ['delivered', null],
    ])
    expect(gateway.received).toHaveLength(1)
  })
})

describe('a delivery that waits while its subscription changes', () => {
  const hook = (endpoint: string, secret: string) => ({
    ...{ type: 'rest-hook' as const, endpoint, payload: 'application/fhir+json' },
    header: [`Authorization: Bearer ${secret}`],
  })

  it('goes where it goes now, and no receiver is shown the credentials of another', async () => {
    await using before = await httpReceiver(() => 503)
    await using after = await httpReceiver(() => 200)
    await subscribe(before.endpoint, { channel: hook(before.endpoint, 'old') })
    const id = await world.message([of('a', 'moved')])
    await subscribe(after.endpoint, { channel: hook(after.endpoint, 'new') })
    await clock.leap(15_000)
    expect(await settled(id, 'delivered')).toMatchObject({ endpoint: after.endpoint })
    expect(before.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer old'])
    expect(after.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer new'])
  })

  it('says no more than that there is something when no more is asked for now', async () => {
    await using receiver = await httpReceiver(() => (receiver.received.length === 1 ? 503 : 200))
    const { endpoint } = receiver
    await subscribe(endpoint)
    const id = await world.message([of('a', 'no-more')])
    await subscribe(endpoint, { channel: { type: 'rest-hook', endpoint } })
    await clock.leap(15_000)
    await settled(id, 'delivered')
    expect(receiver.received).toMatchObject([{ method: 'PUT' }, { method: 'POST', path: '/hook', body: '' }])
  })

  it('is sent again to the address that was corrected', async () => {
    await using wrong = await httpReceiver(() => 404)
    await using right = await httpReceiver(() => 200)
    await subscribe(wrong.endpoint)
    const dead = await own(await world.message([of('a', 'astray')]))
    expect(dead).toMatchObject({ status: 'dead', endpoint: wrong.endpoint })
    await subscribe(right.endpoint)
    await clock.leap(15_000)
    await world.dispatch.resend(dead?.id ?? '', 'admin')
    await world.dispatch.drain()
    expect([wrong.received.length, right.received.length]).toEqual([1, 1])
  })

  it.each(['switched off', 'removed'])('is left out when it was %s, and not sent again', async (how) => {
    await using receiver = await mllpReceiver((_, count) => (count === 1 ? 'AA' : 'AE'))
    await subscribe(receiver.endpoint)
    const first = await own(await world.message([prescription('active')]))
    const id = await world.message([prescription('active', 'Ramipril 5 mg')])
    const now = await stored()
    if (how === 'removed') await store.fhirStore.remove('Subscription', 'own')
    else if (now !== undefined) await store.fhirStore.update({ ...now, id: 'own', status: 'off' })
    await clock.leap(15_000)
    const error = 'The subscription was switched off or removed.'
    expect(await settled(id, 'skipped')).toMatchObject({ lastError: error })
    expect(world.log.events('delivery left out')).toMatchObject([{ queue: 'own', error }])
    await expect(world.dispatch.resend(first?.id ?? '', 'admin')).rejects.toMatchObject({
      ...{ code: 'SUBSCRIPTION_OFF', shown: expect.stringContaining('Give it the status requested') },
    })
    expect(receiver.received).toHaveLength(2)
  })

  it.each(['switched off', 'removed'])(
    'is left out when it was %s, and can be sent when it is on again',
    async (how) => {
      let code: 'AE' | 'AA' = 'AE'
      await using receiver = await mllpReceiver(() => code)
      await subscribe(receiver.endpoint)
      const id = await world.message([prescription('active')])
      if (how === 'removed') await store.fhirStore.remove('Subscription', 'own')
      else await subscribe(receiver.endpoint, { status: 'off' })
      await clock.leap(15_000)
      const leftOut = await settled(id, 'skipped')
      await subscribe(receiver.endpoint)
      await clock.leap(15_000)
      code = 'AA'
      await world.dispatch.resend(leftOut.id, 'admin')
      await world.dispatch.drain()
      expect(await own(id)).toMatchObject({ status: 'delivered', attempts: 1, resentBy: 'admin' })
      expect(await countDeliveriesOf('own', world.database)).toMatchObject({ waiting: 0, delivered: 1, skipped: 0 })
    },
  )

  it('is dead when it cannot be served any more, and says why', async () => {
    await using receiver = await httpReceiver(() => 503)
    await subscribe(receiver.endpoint)
    const id = await world.message([of('a', 'refused')])
    await subscribe('http://10.1.2.3/')
    await clock.leap(15_000)
    expect(await settled(id, 'dead')).toMatchObject({ lastError: expect.stringContaining('10.1.2.3') })
    expect(receiver.received).toHaveLength(1)
  })

  it('is dead when it has another receiver now, for whom it was not made', async () => {
    await using before = await mllpReceiver(() => 'AE')
    await using after = await mllpReceiver(() => 'AA')
    const receivedBy = (valueString: string) => ({
      extension: [{ url: subscriptionExtensions.receivingFacility, valueString }],
    })
    await subscribe(before.endpoint, receivedBy('LAKESIDE'))
    const id = await world.message([prescription('active')])
    await subscribe(after.endpoint, receivedBy('HARBOUR'))
    await clock.leap(15_000)
    const lastError = 'The subscription has another receiver now.'
    expect(await settled(id, 'dead')).toMatchObject({ lastError, endpoint: before.endpoint })
    expect([before.received.length, after.received.length]).toEqual([1, 0])
    const next = await world.message([prescription('active', 'Ramipril 5 mg')])
    expect(await own(next)).toMatchObject({ status: 'delivered', endpoint: after.endpoint })
  })

  it('is dead when it has another channel now', async () => {
    await using receiver = await httpReceiver(() => 503)
    await subscribe(receiver.endpoint)
    const id = await world.message([of('a', 'other-channel')])
    await subscribe('mllp://127.0.0.1:9', { criteria: 'DocumentReference?status=current' })
    await clock.leap(15_000)
    expect(await settled(id, 'dead')).toMatchObject({ lastError: 'The subscription has another channel now.' })
  })
})

describe('a delivery while the store of subscriptions is away', () => {
  it('goes out as its subscription was last known, and no attempt is lost', async () => {
    let isAway = false
    const orAway = async <Value>(ask: () => Promise<Value>): Promise<Value> => {
      if (isAway) throw unavailable('The store is away.')
      return ask()
    }
    const fhirStore: StoreWorld['fhirStore'] = {
      ...store.fhirStore,
      read: (type, id, call) => orAway(() => store.fhirStore.read(type, id, call)),
      searchAll: (type, wanted, call) => orAway(() => store.fhirStore.searchAll(type, wanted, call)),
    }
    let status = 503
    await using receiver = await httpReceiver(() => status)
    const header = ['Authorization: Bearer secret']
    await subscribe(receiver.endpoint, { channel: { type: 'rest-hook', endpoint: receiver.endpoint, header } })
    const outbound = { sink: false, retryBaseMs: 1_000, retryMaxMs: 300_000 }
    await using away = await dispatchWorld({ ...store, fhirStore }, { clock, outbound })
    const id = await away.message([of('a', 'away')])
    isAway = true
    status = 200
    await clock.leap(100_000)
    await away.dispatch.drain()
    expect(await away.dispatch.listDeliveries(id)).toMatchObject([{ status: 'delivered', attempts: 2 }])
    expect(receiver.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', 'Bearer secret'])
    expect(away.log.events('subscriptions not read')).toHaveLength(1)
  })
})

describe('a delivery of which the subscription is not listed any more and cannot be read', () => {
  /** One that has failed once, and another attempt at which the store answers so. */
  async function unread(answer: Fault, resource: string) {
    let isUnread = false
    const fhirStore: StoreWorld['fhirStore'] = {
      ...store.fhirStore,
      read: async (type, id, call) => {
        if (isUnread) throw answer
        return store.fhirStore.read(type, id, call)
      },
    }
    const receiver = await httpReceiver(() => 503)
    onTestFinished(() => receiver[Symbol.asyncDispose]())
    await subscribe(receiver.endpoint)
    const outbound = { sink: false, retryBaseMs: 1_000, retryMaxMs: 300_000 }
    const other = await dispatchWorld({ ...store, fhirStore }, { clock, outbound })
    onTestFinished(() => other[Symbol.asyncDispose]())
    const id = await other.message([of('a', resource)])
    await store.fhirStore.remove('Subscription', 'own')
    isUnread = true
    const later = async () => {
      await clock.leap(100_000)
      await other.dispatch.drain()
      return (await other.dispatch.listDeliveries(id))[0]
    }
    return { other, later }
  }

  it('waits while the store is away, without an attempt, and the log says so', async () => {
    const { other, later } = await unread(unavailable('The store is away.'), 'not-read')
    for (let time = 0; time < 6; time++) expect(await later()).toMatchObject({ status: 'waiting', attempts: 1 })
    expect(other.log.events('task postponed').at(0)).toMatchObject({ error: 'The store is away.', attempt: 2 })
  })

  it('is dead after five attempts where the store refuses, and says why', async () => {
    const { other, later } = await unread(forbidden('The bridge may not read it.'), 'not-allowed')
    for (const attempts of [2, 3, 4]) expect(await later()).toMatchObject({ status: 'waiting', attempts })
    expect(await later()).toMatchObject({ status: 'dead', attempts: 5, lastError: 'The bridge may not read it.' })
    expect(other.log.events('task postponed')).toEqual([])
  })
})

describe('nothing is sent', () => {
  it('back to the facility that said it', async () => {
    await using receiver = await httpReceiver(() => 200)
    const extension = [{ url: subscriptionExtensions.receivingFacility, valueString: 'CENTRAL' }]
    await subscribe(receiver.endpoint, { extension })
    const id = await world.message([of('a', 'doc-3')])
    const skipped = await own(id)
    expect(skipped).toMatchObject({ status: 'skipped', lastError: 'The receiver sent it itself.' })
    await expect(world.dispatch.resend(skipped?.id ?? '', 'admin')).rejects.toMatchObject({ code: 'DELIVERY_SKIPPED' })
    expect(receiver.received).toEqual([])
  })

  it.each([
    ['LIS', 'skipped'],
    ['EHR', 'delivered'],
  ] as const)(
    'back to a system of a facility that is named as the receiver: by %s it is %s',
    async (sendingApplication, status) => {
      await using receiver = await httpReceiver(() => 200)
      const extension = [
        { url: subscriptionExtensions.receivingFacility, valueString: 'CENTRAL' },
        ...['POCT', 'LIS'].map((valueString) => ({ url: subscriptionExtensions.ownApplication, valueString })),
      ]
      await subscribe(receiver.endpoint, { extension })
      const id = await world.message([of('a', `doc-of-${sendingApplication}`)], { sendingApplication })
      expect(await settled(id, status)).toMatchObject({ status })
    },
  )

  it('that has come back by way of another exchange; what a hospital says of it later is sent', async () => {
    await using receiver = await httpReceiver(() => 200)
    await subscribe(receiver.endpoint)
    const tag = [{ system: 'urn:corridor:hop', code: 'HIE' }]
    const id = await world.message([{ ...of('a', 'doc-4'), meta: { tag } }])
    expect(await own(id)).toMatchObject({ status: 'skipped' })
    expect(receiver.received).toEqual([])
    const later = await world.message([{ ...of('a', 'doc-4', 'News'), meta: { tag } }])
    expect(await own(later)).toMatchObject({ status: 'delivered' })
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ meta: { tag }, description: 'News' })
  })

  it.each([
    [
      'to a host that is not allowed',
      { channel: { type: 'rest-hook' as const, endpoint: 'http://10.1.2.3/' } },
      /10\.1\.2\.3/,
    ],
    [
      'by a channel that is not served',
      { channel: { type: 'email' as const, endpoint: 'mailto:a@example.org' } },
      /email/,
    ],
    ['to a phone without a number', { channel: { type: 'sms' as const, endpoint: 'tel:abc' } }, /phone number/],
    ['for criteria that cannot be asked', { criteria: 'DocumentReference?no-such=1' }, /criteria/],
    ['for criteria without a condition', { criteria: 'DocumentReference' }, /parameter/],
    ['for a type of resource that there is not', { criteria: 'Pateint?active=true' }, /criteria/],
    [
      'in a form that is not made here',
      { channel: { type: 'rest-hook' as const, endpoint: 'http://127.0.0.1:9/', payload: 'application/fhir+xml' } },
      /application\/fhir\+xml is not sent/,
    ],
  ])('%s, and the subscription says why, also after somebody has switched it on again', async (_, given, error) => {
    await subscribe('http://127.0.0.1:9/', given)
    const id = await world.message([of('a', 'doc-5')])
    expect(await own(id)).toBeUndefined()
    const said = { status: 'error', error: expect.stringMatching(error) }
    expect(await stored()).toMatchObject(said)
    await clock.leap(15_000)
    expect((await world.dispatch.listSubscriptions()).find((one) => one.id === 'own')).toMatchObject(said)
    await subscribe('http://127.0.0.1:9/', given)
    await clock.leap(15_000)
    await world.dispatch.listSubscriptions()
    expect(await stored()).toMatchObject(said)
  })

  it('for criteria that cannot be asked, and that is said once', async () => {
    await subscribe('http://127.0.0.1:9/', { criteria: 'DocumentReference?no-such=1' })
    await world.dispatch.listSubscriptions()
    const { error = '' } = (await stored()) ?? {}
    expect(error.split('no-such')).toHaveLength(2)
  })

  it('where a password stands in the address, which is not shown', async () => {
    await subscribe('http://user:secret@127.0.0.1:9/')
    const listed = await world.dispatch.listSubscriptions()
    expect(listed.find(({ id }) => id === 'own')).toMatchObject({ endpoint: 'http://127.0.0.1:9/', status: 'error' })
  })
})
