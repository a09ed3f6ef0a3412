import type { Clock } from '../../../packages/clock/clock.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { queueDepth } from '../durable/claims.ts'
import type { Retries } from '../durable/retries.ts'
import { recordReset } from '../store/breaker-resets.ts'
import type { Breakers } from './breakers.ts'

interface ResetDeps {
  readonly breakers: Pick<Breakers, 'reset'>
  readonly database: Database
  readonly retries: Pick<Retries, 'drain'>
  readonly clock: Pick<Clock, 'now'>
}

/** Closes all circuits, here at once and in other copies soon, and lets what waits be tried; gives how much that is. */
export async function resetBreakers(by: string, { breakers, database, retries, clock }: ResetDeps): Promise<number> {
  // A circuit that closes lets the queue go by itself: afterwards nothing is left to be counted.
  const waiting = await queueDepth(database)
  const now = clock.now()
  breakers.reset(now)
  await recordReset(by, now, database)
  await retries.drain()
  return waiting
}
