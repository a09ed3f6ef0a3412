import { queueDepth } from '../durable/claims.ts'
import type { AdminDeps } from '../routes/deps.ts'
import { recordReset } from '../store/breaker-resets.ts'

/** Closes all circuits, here at once and in other copies soon, and lets what waits be tried; gives how much that is. */
export async function resetBreakers(
  by: string,
  { breakers, database, retries, clock }: Pick<AdminDeps, 'breakers' | 'database' | 'retries' | 'clock'>,
): Promise<number> {
  // A circuit that closes lets the queue go by itself: afterwards nothing is left to be counted.
  const waiting = await queueDepth(database)
  breakers.reset()
  await recordReset(by, clock.now(), database)
  await retries.drain()
  return waiting
}
