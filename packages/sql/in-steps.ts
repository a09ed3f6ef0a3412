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

export interface Walk {
  readonly first: string
  /** The next keys behind one, in their order and at most `stepRows`, each as `key`. */
  readonly keysAfter: (key: string) => Statement
  /** Changes some of those that have these keys, in steps. Named one by one: with a range the planner has to guess. */
  readonly change: (keys: readonly string[]) => Statement
}

/**
 * The same for rows of which many stay as they are: it walks by their keys, so that what stays is passed once, and not at
 * the beginning of every step.
 */
export async function walkInSteps(
  { first, keysAfter, change }: Walk,
  on: Pick<Queryable, 'many' | 'run'>,
  signal?: AbortSignal,
): Promise<number> {
  const isEnded = () => signal?.aborted === true
  let count = 0
  for (let after: string | undefined = first; after !== undefined && !isEnded();) {
    const rows: readonly { readonly key: string }[] = await on.many(keysAfter(after))
    const keys = rows.map(({ key }) => key)
    if (keys.length > 0) count += await runInSteps(change(keys), on, signal)
    after = keys.length < stepRows ? undefined : keys.at(-1)
  }
  return count
}
