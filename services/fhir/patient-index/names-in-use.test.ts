import { expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { fhirDatabase } from '../testing/fhir-database.ts'
import { uncountable } from './name-frequency.ts'
import { NamesInUse } from './names-in-use.ts'
import { countNames } from './store/name-counts.ts'

it('a count of names that fails is told, the old figures serve, and the next is not begun at once', async () => {
  await using given = await fhirDatabase()
  const clock = new SimulatedClock('2026-03-04T05:06:07Z')
  const captured = capturedLog(clock)
  // Two a count, unless the first of them fails.
  let questions = 0
  let isSlow = false
  const one: Queryable['one'] = async (statement) => {
    questions++
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
  expect([await names.frequency(), questions]).toEqual([first, 3])
  isSlow = false
  await clock.advance(30_000)
  await names.frequency()
  await waitFor(async () => (await names.frequency()) !== first, { what: 'new figures' })
  expect([questions, told().length]).toEqual([5, 1])
})

it('before anything was counted, a count that fails makes nobody certain, until the next', async () => {
  await using given = await fhirDatabase()
  const clock = new SimulatedClock('2026-03-04T05:06:07Z')
  let isSlow = true
  let questions = 0
  const one: Queryable['one'] = async (statement) => {
    questions++
    if (!isSlow) return given.database.one(statement)
    await clock.advance(30_000)
    throw unavailable('The database took too long.')
  }
  const names = new NamesInUse({ database: { ...given.database, one }, clock, log: capturedLog(clock).log })
  expect(await Promise.all([names.frequency(), names.frequency()])).toEqual([uncountable, uncountable])
  await clock.advance(199 * 30_000)
  expect([await names.frequency(), questions]).toEqual([uncountable, 1])
  isSlow = false
  await clock.advance(30_000)
  expect((await names.frequency()).isGuessed).toBeUndefined()
})

it('of an index that is large a sample is counted, which comes to about the same', async () => {
  await using given = await fhirDatabase()
  const { database } = given
  await database.run(sql`
    insert into fhir.index_people (patient_id, golden_id, provisional, fingerprint, person, name_parts)
    select 'p' || at, 'p' || at, false, 0, repeat('x', 200),
      array['given g' || at, case when at % 4 = 0 then 'family common' else 'family f' || at end]
    from generate_series(1, 20000) as at`)
  expect(await countNames(database)).toEqual({ people: 20_000, counts: [common(5_000)] })
  await database.run(sql`analyze fhir.index_people`)
  const { people, counts } = await countNames(database, { fromPeople: 20_000, samplePeople: 5_000 })
  expect(people).toBe(20_000)
  expect(counts).toEqual([common(expect.closeTo(5_000, -3) as number)])
})

const common = (count: number) => ({ kind: 'family', name: 'common', count })
