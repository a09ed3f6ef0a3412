import { waitAfterAttemptMs, type Backoff } from '../clock/backoff.ts'
import type { Clock } from '../clock/clock.ts'
import type { Random } from '../clock/ids.ts'
import { isRetryable } from './sql-error.ts'

const attemptsMax = 6
const backoff: Backoff = { baseMs: 10, maxMs: 500, multiplier: 2, jitter: 0.5 }

/** Thrown around a fault that is known to have changed nothing, though its SQLSTATE alone does not say so. */
export class NothingHappened extends Error {
  constructor(cause: unknown) {
    super('the connection was lost before COMMIT was sent', { cause })
  }
}

/** Runs the work again, a few times, when what failed has changed nothing and may succeed the next time. */
export async function retrying<T>(work: () => Promise<T>, deps: { clock: Clock; random: Random }): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (thrown) {
      const mayTryAgain = thrown instanceof NothingHappened || isRetryable(thrown)
      if (!mayTryAgain || attempt === attemptsMax) throw thrown instanceof NothingHappened ? thrown.cause : thrown
      await deps.clock.sleep(waitAfterAttemptMs(attempt, backoff, deps.random))
    }
  }
}
