import { Client } from 'pg'
import { expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { connectionConfig, type ConnectionOptions } from '../../packages/sql/connection.ts'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { adtA01 } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, testCorridorDatabase } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { KeptStatements } from './findings/kept-statements.ts'

/** Tables that are empty most of the time and may hold a day's work: what is planned for them when they are empty is kept. */
const queues = ['kit.outbox', 'kit.jobs', 'bridge.open_work']

/** What parks messages, lets them go again and delivers what they bring. */
const ofAnOutage = [
  ...['bridge_park', 'bridge_claim_due', 'bridge_wake_next', 'bridge_let_go', 'bridge_settle_deliveries'],
  ...['kit_outbox_claim', 'kit_outbox_remove', 'kit_outbox_complete_line', 'kit_jobs_claim'],
]

it('no plan that is kept reads a queue as a whole, though it was empty when it was made', async () => {
  const statements = await statementsOfAnOutage()
  await using own = await testCorridorDatabase()
  await using planner = await connected(own.url, { keepsPlans: true })
  await planner.query(`vacuum analyze ${queues.join(', ')}`)
  const readings: string[] = []
  for (const [name, text] of statements) {
    const { rows } = await planner.query<[string]>({ text: `explain (generic_plan) ${text}`, rowMode: 'array' })
    readings.push(...scansOf(rows.flat()).map((scan) => `${name}: ${scan}`))
  }
  expect(readings.length).toBeGreaterThan(20)
  expect(readings.filter((reading) => !reading.includes('Index Cond: '))).toEqual([])
})

/** Every statement whose plan is kept of a Corridor that parks messages and lets them go again, by its name. */
async function statementsOfAnOutage(): Promise<ReadonlyMap<string, string>> {
  await using own = await testCorridorDatabase()
  await using database = await connected(own.url)
  await using link = await KeptStatements.before(own.url)
  await using corridor = await testCorridor({
    settings: { 'database.url': link.urlOf(own.url), 'bridge.breaker.consecutiveFailures': '1' },
  })
  await using sender = await openHl7Sender({ host: '127.0.0.1', port: corridor.configuration.bridge.channels.adt.port })
  const admit = () => sender.send(adtA01({ patientId: 'KP-1' }, { clock: systemClock, ids: systemIds }))
  await database.query(`
    create function fhir.no_room() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = 'disk_full'; end $$`)
  await database.query(`
    create trigger no_room before insert on fhir.versions for each statement execute function fhir.no_room()`)
  for (const _ of ['first', 'behind it']) expect(await admit()).toMatchObject({ ackCode: 'AA' })
  await database.query('drop function fhir.no_room() cascade')
  const headers = { authorization: `Bearer ${await demoToken(corridor.url('auth'))}` }
  await fetch(`${corridor.url('bridge')}/api/circuit-breaker/reset`, { method: 'POST', headers })
  const isDone = () => ofAnOutage.every((name) => link.texts.has(name))
  await waitFor(isDone, { what: `all of ${ofAnOutage.join(', ')}`, deadlineMs: 60_000 })
  return link.texts
}

/** The scans of queues in a plan, each with what leads into it. */
function scansOf(plan: readonly string[]): string[] {
  const isQueue = new RegExp(` on (${queues.map((queue) => queue.split('.')[1]).join('|')})\\b`)
  const scans = [...plan.entries()].filter(([, line]) => line.includes('Scan') && isQueue.test(line))
  return scans.map(([at, line]) => `${line.trim()} ${plan[at + 1]?.trim()}`)
}

async function connected(url: string, options: Partial<ConnectionOptions> = {}): Promise<Client & AsyncDisposable> {
  const client = new Client(connectionConfig({ url, ...options }))
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
