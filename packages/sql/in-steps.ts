import type { Queryable } from './queryable.ts'
import type { Statement } from './sql.ts'

/** How many rows one step changes at most. */
export const stepRows = 1_000

/**
 * Runs a statement of at most `stepRows` rows until it finds fewer, or until the signal comes; the answer is how many
 * there were in all. What piled up for a month is then no single statement that runs into its timeout, and no lock that
 * everybody waits for.
 */
export async function runInSteps(step: Statement, on: Pick<Queryable, 'run'>, signal?: AbortSignal): Promise<number> {
  const isEnded = () => signal?.aborted === true
  let count = 0
  for (let changed = stepRows; changed === stepRows && !isEnded(); count += changed) {
    changed = await on.run(step)
  }
  return count
}
