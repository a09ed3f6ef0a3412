import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { tellNotices } from '../../../packages/sql/notices.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { patientClock } from '../../../packages/testkit/patient-clock.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { cachedTerminology } from '../../../ports/terminology/cached-terminology.ts'
import type { TermAnswer } from '../../../ports/terminology/terminology.ts'
import { retryTransactions } from '../durable/retry-transactions.ts'
import { openBridgeDatabase } from '../testing/bridge-database.ts'
import { flowWorld, sample, succeeded } from '../testing/flow-world.ts'
import { KnownTerms } from './known-terms.ts'
import { watchTerms } from './watch-terms.ts'

const need = { target: 'http://loinc.org', system: 'urn:local', code: 'GLU' }

/** The terminology as one copy remembers it, and what it really says. */
function remembering(said: { now: TermAnswer }) {
  const service = { codingsIn: async () => [said.now], lookup: async () => undefined }
  return cachedTerminology(service, { clock: new SimulatedClock() })
}

it('a message that is run again because another copy was told what its code means is translated by that', async () => {
  const said: { now: TermAnswer } = { now: 'unmapped' }
  const [here, elsewhere] = [remembering(said), remembering(said)]
  const found: string[] = []
  const runOn = (terminology: typeof here) => async () => {
    const [answer] = await terminology.codingsIn([need])
    found.push(typeof answer === 'string' ? answer : (answer?.[0]?.code ?? ''))
    return succeeded()
  }
  await using world = await flowWorld({ runStages: runOn(here), deps: { allowance: () => 0 } })
  const { database } = world
  const others = new KnownTerms(elsewhere, database)
  const copy = await world.start({
    ...{ runStages: runOn(elsewhere), allowance: () => Number.POSITIVE_INFINITY },
    hearTerms: (version) => others.hear(version),
  })
  await world.code(sample({ controlId: 'A' }))
  await world.code(sample({ controlId: 'B', patient: '2' }), { copy })

  said.now = [{ system: need.target, code: '2345-7' }]
  await new KnownTerms(here, database).change()
  const { id } = await database.one<{ id: string }>(sql`select id from bridge.transactions where control_id = 'A'`)
  const channelOf: typeof world.channel = (channel) => world.channel(channel)
  const retries = retryTransactions({ database, clock: patientClock, queue: copy.retries, channelOf })
  expect(await retries.rerun([id], 'admin')).toBe(1)
  await waitFor(() => found.length === 3, { what: 'the message to run again' })
  expect(found).toEqual(['unmapped', 'unmapped', '2345-7'])
})

it('what comes in is translated by what another copy was told, or the terminology has learned, two seconds ago', async () => {
  const own = await openBridgeDatabase()
  const { database } = own
  const clock = new SimulatedClock()
  let [forgotten, looks, state] = [0, 0, 'as it was']
  const terminology = { forget: () => void forgotten++, state: async () => (looks++, state) }
  const terms = new KnownTerms(terminology, database)
  const watching = watchTerms({ database, clock, log: capturedLog(clock).log, terminology, terms })
  const look = async () => {
    const before = looks
    await clock.advance(2_000)
    await waitFor(() => looks > before, { what: 'a look' })
    await clock.advance(0)
    return forgotten
  }
  await waitFor(() => looks === 1, { what: 'the first look' })
  forgotten = 0
  expect(await look()).toBe(0)
  await new KnownTerms({ forget() {} }, database).change()
  expect([await look(), await look()]).toEqual([1, 1])
  state = 'a map was loaded'
  expect([await look(), await look()]).toEqual([2, 2])
  await watching.end()
  await own.close()
})

it('what comes in is translated by what a terminology in another process has just learned', async () => {
  const own = await openBridgeDatabase()
  const { database } = own
  let forgotten = 0
  const terms = new KnownTerms({ forget: () => void forgotten++ }, database)
  const { log } = capturedLog(systemClock)
  const watching = watchTerms({ database, clock: systemClock, log, terminology: {}, terms })
  await waitFor(() => forgotten > 0, { what: 'the first look' })
  const before = forgotten
  const tell = () => database.run(tellNotices('corridor_terminology', ['loaded']))
  await expect.poll(async () => (await tell(), forgotten)).toBeGreaterThan(before)
  await watching.end()
  await own.close()
})
