import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { recordReset } from '../store/breaker-resets.ts'
import { openBridgeDatabase } from '../testing/bridge-database.ts'
import { Breakers } from './breakers.ts'
import { resetBreakers } from './reset-breakers.ts'
import { watchResets } from './watch-resets.ts'

const at = (time: string) => new Date(`2026-03-04T${time}Z`)

it('a reset reaches every copy, however far its clock is ahead of the one that was told', async () => {
  const own = await openBridgeDatabase()
  const clock = new SimulatedClock('2026-03-04T10:00:00Z')
  let [looks, resets] = [0, 0]
  const database: Database = {
    ...own.database,
    async maybe<Row>(...asked: Parameters<Database['maybe']>) {
      const row = await own.database.maybe<Row>(...asked)
      looks++
      return row
    },
  }
  const look = async () => {
    const before = looks
    await clock.advance(2_000)
    await waitFor(() => looks > before, { what: 'a look' })
    await clock.advance(0)
  }
  // What was reset before it was there is no news for it.
  await recordReset('admin', at('08:00:00'), own.database)
  const watching = watchResets({ database, clock, log: capturedLog(clock).log, onReset: () => resets++ })
  await waitFor(() => looks === 1, { what: 'the first look' })
  await look()
  expect(resets).toBe(0)
  await recordReset('admin', at('09:59:30'), own.database)
  await look()
  await look()
  expect(resets).toBe(1)
  await recordReset('admin', at('09:58:00'), own.database)
  await look()
  expect(resets).toBe(2)
  await watching.end()
  await own.close()
})

it('a reset acts once on the copy that was told, and what fails afterwards counts', async () => {
  const own = await openBridgeDatabase()
  const { database } = own
  const clock = new SimulatedClock('2026-03-04T10:00:00Z')
  const breakers = new Breakers({ clock, metrics: new Metrics() })
  const heard: Date[] = []
  const onReset = (time: Date) => {
    heard.push(time)
    breakers.hearOfReset(time)
  }
  const fail = async () => {
    for (let failures = 0; failures < 5; failures++) {
      await breakers.call('fhir-server', () => Promise.reject(unavailable('away'))).catch(() => {})
    }
  }
  const look = async (count: number) => {
    await clock.advance(2_000)
    await waitFor(() => heard.length === count, { what: 'the reset to be heard of' })
  }
  await recordReset('admin', at('08:00:00'), database)
  let looks = 0
  const counting: Database = {
    ...database,
    maybe: <Row>(...asked: Parameters<Database['maybe']>) => database.maybe<Row>(...asked).finally(() => looks++),
  }
  const watching = watchResets({ database: counting, clock, log: capturedLog(clock).log, onReset })
  await waitFor(() => looks === 1, { what: 'the first look' })

  await resetBreakers('admin', { breakers, database, clock, retries: { drain: async () => 0 } })
  await fail()
  await look(1)
  expect(breakers.entryOf('fhir-server').state).toBe('OPEN')

  await recordReset('another', at('09:59:00'), database)
  await look(2)
  expect(breakers.entryOf('fhir-server').state).toBe('CLOSED')
  await watching.end()
  await own.close()
})
