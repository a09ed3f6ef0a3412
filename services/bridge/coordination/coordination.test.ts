import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { PostWriteEvent } from '../../../ports/coordination/coordination.ts'
import { listSinkDeliveries } from '../outbound/store/sink-deliveries.ts'
import { encounter, merged, observation, patient, prescription } from '../outbound/testing/clinical-resources.ts'
import { dispatchWorld, storeWorld, type DispatchWorld, type StoreWorld } from '../outbound/testing/dispatch-world.ts'
import { httpReceiver } from '../outbound/testing/receivers.ts'
import { openAlerts } from './store/alerts.ts'
import { cardsOf, readSummary } from './store/coordination.ts'

const amara = 'Patient/amara'

let store: StoreWorld
beforeAll(async () => {
  store = await storeWorld()
})
afterAll(() => store[Symbol.asyncDispose]())

describe('the embedded coordination service', () => {
  let world: DispatchWorld
  let clock: SimulatedClock
  beforeEach(async () => {
    clock = new SimulatedClock('2026-03-04T05:00:00Z')
    world = await dispatchWorld(store, { clock })
    await world.message([patient])
  })
  afterEach(() => world[Symbol.asyncDispose]())

  it('keeps a summary of a patient and builds anew only what has changed', async () => {
    const first = await world.dispatch.summaryOf(amara)
    expect(first.demographics).toMatchObject([{ id: 'amara' }])
    await world.message([encounter('in-progress', 'IMP')])
    expect(await readSummary(amara, world.database)).toMatchObject({ staleSections: ['encounters'] })
    const second = await world.dispatch.summaryOf(amara)
    expect(second.encounters).toMatchObject([{ id: 'visit-imp' }])
    expect(await readSummary(amara, world.database)).toMatchObject({ staleSections: [] })
  })

  it('forgets the summaries of patients who were merged', async () => {
    await world.dispatch.summaryOf('Patient/amara-old')
    await world.message([merged])
    expect(await readSummary('Patient/amara-old', world.database)).toBeUndefined()
  })

  it('says so when a result is dangerous together with a drug', async () => {
    await world.message([prescription('active', 'Lisinopril 10 mg')])
    expect(await cardsOf(amara, world.database)).toEqual([])
    await world.message([observation('H')])
    const cards = await cardsOf(amara, world.database)
    expect(cards).toMatchObject([
      { rule: 'potassium-raas', resource: 'Observation/potassium', card: { indicator: 'critical' } },
    ])
  })

  it('escalates a critical result until somebody acknowledges it', async () => {
    await world.message([observation('HH')])
    const [alert] = await openAlerts(10, world.database)
    expect(alert).toMatchObject({ patient: amara, resource: 'Observation/potassium', escalations: 0 })
    await escalated(1)
    await escalated(2)
    expect(await world.dispatch.acknowledge(alert?.id ?? '', 'dr-amara')).toBe(true)
    expect(await world.dispatch.acknowledge(alert?.id ?? '', 'dr-other')).toBe(false)
    await clock.advance(3_600_000)
    await world.dispatch.drain()
    expect(await escalations()).toHaveLength(2)
    expect(await openAlerts(10, world.database)).toEqual([])
  })

  it('escalates no more often than it should', async () => {
    await world.message([observation('LL')])
    for (const count of [1, 2, 3]) await escalated(count)
    await clock.advance(86_400_000)
    await world.dispatch.drain()
    expect(await escalations()).toHaveLength(3)
  })

  const escalations = async () =>
    (await listSinkDeliveries(100, world.database)).filter(({ body }) => body.includes('not been acknowledged'))

  const escalated = (count: number) =>
    waitFor(
      async () => {
        await clock.advance(100_000)
        await world.dispatch.drain()
        return (await escalations()).length === count
      },
      { what: `escalation ${count}` },
    )
})

describe('a coordination service elsewhere', () => {
  it('gets every event at least once, with a key that does not change', async () => {
    let isDown = true
    const clock = new SimulatedClock('2026-03-04T05:00:00Z')
    await using receiver = await httpReceiver(() => (isDown ? 503 : 202))
    await using world = await dispatchWorld(store, {
      clock,
      coordination: { url: receiver.endpoint, authorization: 'Bearer secret' },
    })
    const sending = world.message([observation('AA')])
    await waitFor(() => receiver.received.length > 0, { what: 'a first attempt' })
    isDown = false
    const arrived = async () => clock.advance(60_000).then(() => receiver.received.length > 1)
    await waitFor(arrived, { what: 'the event to be sent again' })
    const transactionId = await sending
    const keys = receiver.received.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(1)
    const event = JSON.parse(receiver.received[0]?.body ?? '') as PostWriteEvent
    expect(event).toMatchObject({
      ...{ eventId: keys[0], eventType: 'POST_WRITE', transactionId, patient: amara, facilityCode: 'CENTRAL' },
      ...{ sections: ['results'], flags: { critical: true, merge: false }, purposeOfUse: 'TREAT' },
      resources: [{ reference: 'Observation/potassium', type: 'Observation', operation: 'update' }],
    })
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer secret')
  })
})
