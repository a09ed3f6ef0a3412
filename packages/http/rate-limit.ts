import { Fault, type FaultKind } from '../faults/fault.ts'

/**
 * Counts failures, never successes: a hospital's whole staff may share one address. Keys are made by the caller
 * (an address, an account, both). Several copies of a service share one by keeping it in the database.
 */
export interface FailureLimiter {
  /**
   * Begins an attempt, which is under way until it is disposed of. Only so many are at once that the key could not fail
   * too often even if all of them failed; who comes meanwhile waits for a turn. Throws a fault with the time to wait
   * once the key has failed too often.
   */
  begin(key: string): Promise<Attempt>
}

export interface Attempt extends Disposable {
  failed(): Promise<void>
  /** Forgets the key's failures, after a success that proves who it is. */
  succeeded(): Promise<void>
}

/** Does the work unless the key has failed too often, and counts it when it fails in one of the given ways. */
export async function limitFailures<Result>(
  limiter: FailureLimiter,
  key: string,
  work: () => Promise<Result>,
  counted: readonly FaultKind[] = ['incorrect', 'unauthenticated', 'forbidden'],
): Promise<Result> {
  using attempt = await limiter.begin(key)
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && counted.includes(error.kind)) await attempt.failed()
    throw error
  }
}
