import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { patientClock } from '../../../packages/testkit/patient-clock.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { attemptsOf, findTransaction } from '../store/transactions.ts'
import { failed, flowWorld, parked, sample, succeeded } from '../testing/flow-world.ts'
import { retryTransactions } from './retry-transactions.ts'

it('a batch asks the database about once a message, and a patient’s messages run in their order', async () => {
  const ran: string[] = []
  await using world = await flowWorld({
    runStages: async ({ message, attempt }) => {
      if (attempt > 1) ran.push(message.getText('MSH-10') ?? '')
      return attempt === 1 ? failed('AE') : succeeded()
    },
  })
  const { flow } = world
  const controlIds = Array.from({ length: 25 }, (_, index) => `M${10 + index}`)
  for (const controlId of controlIds) await world.code(sample({ controlId }))
  let asked = 0
  const counted = <Answer>(answer: Answer): Answer => {
    asked++
    return answer
  }
  const { database: plain } = world
  const database: Database = {
    ...plain,
    many: (statement) => counted(plain.many(statement)),
    maybe: (statement) => counted(plain.maybe(statement)),
    run: (statement) => counted(plain.run(statement)),
    transaction: (work, options) =>
      counted(plain.transaction((tx) => work({ ...tx, run: (statement) => counted(tx.run(statement)) }), options)),
  }
  const channelOf: typeof world.channel = (id) => world.channel(id)
  const retries = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
  expect(await retries.retryBatch({}, 'admin')).toMatchObject({ matched: 25, accepted: 25, skipped: 0 })
  expect(asked).toBeLessThanOrEqual(1 + 3 + 25)
  await waitFor(() => ran.length === 25, { what: 'all of them to run' })
  expect(ran).toEqual(controlIds)
})

it('of a patient’s messages in a batch one is due, and each lets the next go: a claim looks at one, not at all', async () => {
  let allowed = Number.POSITIVE_INFINITY
  const ran: string[] = []
  await using world = await flowWorld({
    deps: { allowance: () => allowed },
    runStages: async ({ message, attempt }) => {
      if (attempt > 1) ran.push(message.getText('MSH-10') ?? '')
      return attempt === 1 ? failed('AE') : succeeded()
    },
  })
  const { flow, database } = world
  const controlIds = Array.from({ length: 20 }, (_, index) => `M${10 + index}`)
  for (const controlId of controlIds) await world.code(sample({ controlId }))
  await world.code(sample({ controlId: 'OTHER', patient: '2' }))
  allowed = 0
  const channelOf: typeof world.channel = (id) => world.channel(id)
  const retries = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
  expect(await retries.retryBatch({}, 'admin')).toMatchObject({ accepted: 21 })
  const due = sql`select transaction_id from bridge.open_work where is_main and due_at < 'infinity'`
  expect(await database.many(due)).toHaveLength(2)
  allowed = Number.POSITIVE_INFINITY
  flow.retries.wake()
  await waitFor(() => ran.length === 21, { what: 'all of them to run' })
  expect(ran.filter((id) => id !== 'OTHER')).toEqual(controlIds)
})

it('many that are run again take their turn behind what waited for the store before them, and one goes before all', async () => {
  let [allowed, isAway] = [0, false]
  const ran: string[] = []
  await using world = await flowWorld({
    ...{ deps: { allowance: () => allowed }, flow: { retryConcurrency: 1 } },
    runStages: async ({ message, attempt, run }) => {
      if (run > 1) ran.push(message.getText('MSH-10') ?? '')
      if (isAway) return parked()
      return attempt === 1 ? failed('AE') : succeeded()
    },
  })
  const { flow, database } = world
  for (const [at, controlId] of ['MANY-1', 'MANY-2', 'ONE'].entries()) {
    await world.code(sample({ controlId, patient: `${at}` }))
  }
  isAway = true
  expect(await world.code(sample({ controlId: 'WAITED', patient: 'w' }))).toContain('AA')
  isAway = false
  await database.run(sql`update bridge.open_work set due_at = now() - interval '1 second'`)
  const rows = await database.many<{ id: string }>(sql`
    select id from bridge.transactions where status = 'ERROR' order by id`)
  const [first = '', second = '', one = ''] = rows.map(({ id }) => id)
  const channelOf: typeof world.channel = (id) => world.channel(id)
  const retries = retryTransactions({ database, clock: systemClock, queue: flow.retries, channelOf })
  expect(await retries.rerun([first, second], 'admin')).toBe(2)
  const looking = retries.retry(one, 'admin')
  const open = () => database.many(sql`select from bridge.open_work`)
  await waitFor(async () => (await open()).length === 4, { what: 'all of them to wait' })
  allowed = Number.POSITIVE_INFINITY
  flow.retries.wake()
  await looking
  await waitFor(() => ran.length === 4, { what: 'all of them to run' })
  expect(ran).toEqual(['ONE', 'WAITED', 'MANY-1', 'MANY-2'])
})

it('is not complete while it is at work again, and the end that it had is among its runs', async () => {
  let allowed = Number.POSITIVE_INFINITY
  await using world = await flowWorld({ deps: { allowance: () => allowed } })
  const { database, flow } = world
  await world.code(sample({ controlId: 'C' }))
  const { id } = await database.one<{ id: string }>(sql`select id from bridge.transactions`)
  const first = await findTransaction(id, database)
  expect(first).toMatchObject({ status: 'SUCCESS', completed_at: expect.any(Date) as Date })
  allowed = 0
  const channelOf: typeof world.channel = (channel) => world.channel(channel)
  const retries = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
  expect(await retries.rerun([id], 'admin')).toBe(1)
  const again = { status: 'PROCESSING', attempts: 2, completed_at: null, duration_ms: null }
  expect(await findTransaction(id, database)).toMatchObject({ ...again, resources: first?.resources })
  expect(await attemptsOf(id, database)).toMatchObject([{ run: 1, status: 'SUCCESS', ended_at: first?.completed_at }])
  allowed = Number.POSITIVE_INFINITY
  flow.retries.wake()
  await waitFor(async () => (await findTransaction(id, database))?.status === 'SUCCESS', { what: 'its end' })
  expect(await attemptsOf(id, database)).toMatchObject([{ run: 1 }, { run: 3, attempt: 2, asked_by: 'admin' }])
})

it('of two who want a message that stays refused run again at once, both are heard or one was quicker', async () => {
  await using world = await flowWorld({})
  const { database, flow } = world
  await world.code(sample({ controlId: 'D' }).replace('|P|', '|T|'))
  const { id } = await database.one<{ id: string }>(sql`select id from bridge.transactions`)
  const channelOf: typeof world.channel = (channel) => world.channel(channel)
  const retries = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
  const answers = await Promise.all(['one', 'two', 'three'].map((by) => retries.retry(id, by)))
  const accepted = answers.filter(({ is }) => is === 'accepted').length
  expect(accepted).toBeGreaterThan(0)
  expect(await attemptsOf(id, database)).toHaveLength(1 + accepted)
})
