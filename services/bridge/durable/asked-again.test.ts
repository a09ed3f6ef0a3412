import { expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { patientClock } from '../../../packages/testkit/patient-clock.ts'
import type { FinishPart } from '../pipeline/finished.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import { attemptsOf } from '../store/transactions.ts'
import { failed, flowWorld, sample, succeeded } from '../testing/flow-world.ts'
import { retryTransactions } from './retry-transactions.ts'

it('the log tells of each attempt who wanted it, and of the first one nobody', async () => {
  let outcome: Outcome = failed('AE')
  const told: (true | undefined)[] = []
  const telling: FinishPart = {
    statement: () => undefined,
    committed: (finished) => told.push(...finished.map(({ isRerun }) => isRerun)),
  }
  await using world = await flowWorld({ runStages: async () => outcome, deps: { parts: [telling] } })
  const { database, flow } = world
  const channelOf = (id: Parameters<typeof world.channel>[0]) => world.channel(id)
  const retries = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
  await world.code(sample({ controlId: 'A' }))
  const { id } = await database.one<{ id: string }>(sql`select id from bridge.transactions`)
  const settled = async (status: string) => {
    const now = () => database.many(sql`select status from bridge.all_transactions`)
    await expect.poll(now, { timeout: 10_000 }).toEqual([{ status }])
  }
  await retries.retry(id, 'one')
  await retries.retryBatch({}, 'two')
  await settled('ERROR')
  outcome = succeeded()
  expect(await retries.begin(id, 'three')).toBe(true)
  await settled('SUCCESS')
  expect(await retries.rerun([id], 'four')).toBe(1)
  await settled('SUCCESS')
  await expect
    .poll(async () => (await attemptsOf(id, database)).map((one) => `${one.status} ${one.asked_by}`))
    .toEqual(['ERROR null', 'ERROR one', 'ERROR two', 'SUCCESS three', 'SUCCESS four'])
  // Only of what was through before others have been told.
  expect(told).toEqual([undefined, undefined, undefined, undefined, true])
})
