import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { acknowledgeAlert, raiseAlerts, readAlert } from '../coordination/store/alerts.ts'
import { addCards, beginSummary, cardsOf, readSummary } from '../coordination/store/coordination.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { openBridgeDatabase } from '../testing/bridge-database.ts'
import type { NewDelivery } from './delivery.ts'
import { addDeliveries } from './store/deliveries.ts'
import { sweepOnce, sweep } from './sweep.ts'

const dayMs = 86_400_000
const patient = 'Patient/amara'
const rule = { deliveryDays: 30, deadDays: 730, coordinationDays: 365 }

const dead: NewDelivery = {
  ...{ id: systemIds.uuid(), subscriptionId: 'a', transactionId: 't', patient: null, resource: 'Patient/amara' },
  ...{
    versionId: '1',
    channel: 'rest-hook',
    endpoint: 'http://localhost/',
    payload: '',
    status: 'dead',
    lastError: null,
  },
}

let own: Awaited<ReturnType<typeof openBridgeDatabase>>
beforeAll(async () => {
  own = await openBridgeDatabase()
})
afterAll(() => own.close())

it('a copy of the record is gone soon after the five minutes for which it is believed', async () => {
  const { database } = own
  const clock = new SimulatedClock('2026-03-04T10:00:00Z')
  const builtAt = clock.now()
  await beginSummary(patient, [], builtAt, database)
  const sweeping = sweep(rule, { database, clock, log: silentLog })
  const isGone = async () => {
    await clock.leap(60_000)
    return (await readSummary(patient, database)) === undefined
  }
  await waitFor(isGone, { what: 'the summary to be gone' })
  expect(clock.now().getTime() - builtAt.getTime()).toBeGreaterThan(300_000)
  await sweeping.end()
})

it('what cannot be removed keeps nothing else from going, and is told of', async () => {
  const { database } = own
  const taken = systemIds.uuid()
  const old = new Date('2025-01-01T00:00:00Z')
  await addDeliveries([dead], old, database)
  await database.run(sql`insert into bridge.coordination_events (id, taken_at) values (${taken}, ${old})`)
  await database.run(sql`
    create function bridge.refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$`)
  await database.run(sql`
    create trigger refuse before delete on bridge.deliveries for each row execute function bridge.refuse()`)
  const sweeping = sweepOnce(rule, new Date('2028-01-01T00:00:00Z'), database)
  await expect(sweeping).rejects.toMatchObject({ logged: expect.stringContaining('not this one') })
  expect(await database.many(sql`select from bridge.coordination_events where id = ${taken}`)).toEqual([])
  await database.run(sql`drop trigger refuse on bridge.deliveries`)
})

it('cards and acknowledged alerts go with the log of messages; what nobody has acknowledged stays', async () => {
  const { database } = own
  const clock = new SimulatedClock('2026-03-04T10:00:00Z')
  const [open, seen] = [systemIds.uuid(), systemIds.uuid()]
  const about = { patient, resource: 'Observation/1', transactionId: 't', raisedAt: clock.now(), escalateAt: null }
  await raiseAlerts(
    [open, seen].map((id) => ({ ...about, id })),
    database,
  )
  await acknowledgeAlert(seen, 'dr-amara', clock.now(), database)
  const source = { label: 'A rule', url: 'https://rules.example' }
  const card = { summary: 'Look.', indicator: 'warning', detail: '', source } as const
  const told = { id: systemIds.uuid(), patient, resource: 'Observation/1', rule: 'r', card, createdAt: clock.now() }
  await addCards([told], database)
  const leftAfter = async (days: number) => {
    clock.jump(days * dayMs)
    await sweepOnce(rule, clock.now(), database)
    const [cards, ...alerts] = await Promise.all([
      cardsOf(patient, 10, database),
      ...[open, seen].map((id) => readAlert(id, database)),
    ])
    return [cards.length, ...alerts.map((alert) => alert !== undefined)]
  }
  expect(await leftAfter(364)).toEqual([1, true, true])
  expect(await leftAfter(2)).toEqual([0, true, false])
})
