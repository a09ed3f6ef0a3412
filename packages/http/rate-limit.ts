import { Fault, type FaultKind } from '../faults/fault.ts'

/**
 * Counts failures, never successes: a hospital's whole staff may share one address. Keys are made by the caller
 * (an address, an account, both). Several copies of a service share one by keeping it in the database.
 */
export interface FailureLimiter {
  /** Throws a fault with the time to wait once the key has failed too often. */
  check(key: string): Promise<void>
  failed(key: string): Promise<void>
  /** Forgets the key's failures, after a success that proves who it is. */
  succeeded(key: string): Promise<void>
}

/** Does the work unless the key has failed too often, and counts it when it fails in one of the given ways. */
export async function limitFailures<Result>(
  limiter: FailureLimiter,
  key: string,
  work: () => Promise<Result>,
  counted: readonly FaultKind[] = ['incorrect', 'unauthenticated', 'forbidden'],
): Promise<Result> {
  await limiter.check(key)
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && counted.includes(error.kind)) await limiter.failed(key)
    throw error
  }
}
