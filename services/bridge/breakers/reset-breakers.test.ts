import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { queueDepth } from '../durable/claims.ts'
import { retryTransactions } from '../durable/retry-transactions.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import { flowWorld, parked, sample, succeeded } from '../testing/flow-world.ts'
import { Breakers } from './breakers.ts'
import { resetBreakers } from './reset-breakers.ts'

it('tells how many messages waited, although a circuit that closes lets them go by itself', async () => {
  let outcome: Outcome = parked({ retryAfterMs: 3_600_000 })
  await using world = await flowWorld({ runStages: async () => outcome })
  const { database, flow } = world
  const clock = systemClock
  const breakers = new Breakers({ clock, metrics: new Metrics() })
  breakers.onChange((_, state) => {
    if (state === 'CLOSED') void flow.retries.drainNow()
  })
  for (const patient of ['1', '2']) await world.code(sample({ controlId: patient, patient }))
  for (let failures = 0; failures < 5; failures++) {
    await breakers.call('fhir-server', () => Promise.reject(unavailable('away'))).catch(() => {})
  }
  expect(breakers.entryOf('fhir-server').state).toBe('OPEN')

  outcome = succeeded()
  const retries = retryTransactions({ database, clock, queue: flow.retries, channelOf: (id) => world.channel(id) })
  expect(await resetBreakers('admin', { breakers, database, retries, clock })).toBe(2)
  expect(breakers.entryOf('fhir-server').state).toBe('CLOSED')
  await waitFor(async () => (await queueDepth(database)) === 0, { what: 'the queue to be empty' })
})
