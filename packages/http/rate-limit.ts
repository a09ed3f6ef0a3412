import { Fault } from '../faults/fault.ts'

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

/** Does the work unless the key has failed too often, and counts it when it fails in a way that counts. */
export async function limitFailures<Result>(
  limiter: FailureLimiter,
  key: string,
  work: () => Promise<Result>,
  counts: (fault: Fault) => boolean = isTheCallers,
): Promise<Result> {
  using attempt = await limiter.begin(key)
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && counts(error)) await attempt.failed()
    throw error
  }
}

/**
 * Does the work however often the key has failed, and counts it like `limitFailures`; only who fails is told to wait, once
 * there were too many. For what nobody can guess: there the failures of one must not keep out another.
 */
export async function limitAnswers<Result>(
  limiter: FailureLimiter,
  key: string,
  work: () => Promise<Result>,
  counts: (fault: Fault) => boolean = isTheCallers,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && counts(error)) {
      using attempt = await limiter.begin(key)
      await attempt.failed()
    }
    throw error
  }
}

/** Failures of who calls, not of who is called. */
export const isTheCallers = ({ kind }: Fault): boolean =>
  kind === 'incorrect' || kind === 'unauthenticated' || kind === 'forbidden'
