import { Type } from 'typebox'
import { integer, object, oneOf } from '../../../packages/http/fields.ts'
import type { OperatorAction } from '../audit/operator-action.ts'
import { dependencies, type Breakers } from '../breakers/breakers.ts'
import { resetBreakers as resetAll } from '../breakers/reset-breakers.ts'
import { queueDepth } from '../durable/claims.ts'
import { readers, writers } from './callers.ts'
import { adminRoute, type AdminDeps } from './deps.ts'

const entry = {
  state: oneOf(['CLOSED', 'OPEN', 'HALF-OPEN']),
  failureCount: integer({ description: 'In the current window.' }),
  successCount: integer({ description: 'In the current window.' }),
  queueDepth: integer({ description: 'Messages that wait in the retry queue.' }),
}

export const getBreakers = adminRoute({
  method: 'GET',
  path: '/api/circuit-breaker',
  who: readers,
  tags: ['Circuit breakers'],
  summary: 'The circuit breaker of each dependency',
  output: { 200: Type.Record(Type.String(), object(entry)) },
  run: async (_, { breakers, database }) => entriesOf(breakers, await queueDepth(database)),
})

export const resetBreakers = adminRoute({
  method: 'POST',
  path: '/api/circuit-breaker/reset',
  who: writers,
  tags: ['Circuit breakers'],
  summary: 'Says that the dependencies are well again: circuits close and the retry queue drains at once',
  output: { 200: Type.Record(Type.String(), object({ ...entry, drained: integer() })) },
  run: async ({ caller, request }, deps) => {
    const drained = await resetFor({ caller, request }, deps)
    const entries = entriesOf(deps.breakers, await queueDepth(deps.database))
    return Object.fromEntries(
      Object.entries(entries).map(([name, one]) => [name, { ...one, drained: name === 'fhir-server' ? drained : 0 }]),
    )
  },
})

/** Closes all circuits for somebody; gives how many messages waited. */
export const resetFor = (who: Pick<OperatorAction, 'caller' | 'request'>, deps: AdminDeps): Promise<number> =>
  deps.audited(
    { did: 'reset-circuit-breakers', ...who },
    () => resetAll(who.caller.subject, deps),
    (drained) => ({ details: { drained } }),
  )

/**
 * There is one queue, and it is the store's: what waits in it for another dependency was parked or acknowledged before.
 */
function entriesOf(breakers: Pick<Breakers, 'entryOf'>, depth: number) {
  return Object.fromEntries(
    dependencies.map((name) => [name, { ...breakers.entryOf(name), queueDepth: name === 'fhir-server' ? depth : 0 }]),
  )
}
