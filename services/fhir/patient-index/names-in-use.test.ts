import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { fhirDatabase } from '../testing/fhir-database.ts'
import { NamesInUse } from './names-in-use.ts'

it('a count of names that fails is told, the old figures serve, and the next is not begun at once', async () => {
  await using given = await fhirDatabase()
  const clock = new SimulatedClock('2026-03-04T05:06:07Z')
  const captured = capturedLog(clock)
  let counts = 0
  let isSlow = false
  const one: Queryable['one'] = async (statement) => {
    counts++
    if (!isSlow) return given.database.one(statement)
    await clock.advance(30_000)
    throw unavailable('The database took too long.', { logged: 'canceling statement due to statement timeout' })
  }
  const names = new NamesInUse({ database: { ...given.database, one }, clock, log: captured.log })
  const first = await names.frequency()
  isSlow = true
  await clock.advance(5 * 60_000)
  const told = () => captured.events('names could not be counted')
  expect(await names.frequency()).toBe(first)
  await waitFor(() => told().length > 0, { what: 'the failure to be told' })
  expect(told()).toMatchObject([
    { level: 'warn', faultKind: 'unavailable', error: 'canceling statement due to statement timeout' },
  ])
  // Two hundred times as long as it took in vain.
  await clock.advance(199 * 30_000)
  expect([await names.frequency(), counts]).toEqual([first, 2])
  isSlow = false
  await clock.advance(30_000)
  await names.frequency()
  await waitFor(async () => (await names.frequency()) !== first, { what: 'new figures' })
  expect([counts, told().length]).toEqual([3, 1])
})
