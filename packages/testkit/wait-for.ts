import { systemClock, type Clock } from '../clock/clock.ts'
import { unavailable } from '../faults/fault.ts'

interface WaitOptions {
  /** Completes the sentence "waited for …": `the listener to accept a connection`. */
  readonly what: string
  /** Twenty seconds unless said: it ends a wait that is in vain, and says nothing about how long a good one takes. */
  readonly deadlineMs?: number
  /**
   * Unless said, the longer it takes the more seldom: asking often takes the processor from what is waited for. To be said
   * where each asking lets a simulated clock go on.
   */
  readonly everyMs?: number
  readonly clock?: Clock
}

type NotYet = false | undefined | null

/**
 * Asks until the condition holds and answers with what it gave. A condition that throws does not hold yet; what it
 * threw last is the cause of the failure.
 */
export async function waitFor<T>(condition: () => T | Promise<T>, options: WaitOptions): Promise<Exclude<T, NotYet>> {
  const { what, deadlineMs = 20_000, everyMs, clock = systemClock } = options
  using deadline = clock.deadline(deadlineMs)
  const passed = rejectionOf(deadline.signal)
  const beganMs = clock.monotonicMs()
  let attempts = 0
  let lastThrown: unknown
  try {
    for (;;) {
      attempts++
      // A condition that never answers must not outlive the deadline.
      const answer = await Promise.race([tryOnce(condition, (thrown) => (lastThrown = thrown)), passed])
      // Sound: exactly the values of NotYet are left out above the return.
      if (answer !== false && answer !== undefined && answer !== null) return answer as Exclude<T, NotYet>
      await clock.sleep(everyMs ?? pauseAfter(clock.monotonicMs() - beganMs), deadline.signal)
    }
  } catch (thrown) {
    if (!deadline.signal.aborted) throw thrown
    throw unavailable(failure(what, deadlineMs, attempts, lastThrown), { code: 'WAIT_DEADLINE', cause: lastThrown })
  }
}

/** A tenth of what was waited already: so much later than it came true it is seen at most. */
const pauseAfter = (waitedMs: number): number => Math.min(Math.max(waitedMs / 10, 5), 100)

async function tryOnce<T>(
  condition: () => T | Promise<T>,
  onThrown: (thrown: unknown) => void,
): Promise<T | undefined> {
  try {
    const answer = await condition()
    onThrown(undefined)
    return answer
  } catch (thrown) {
    onThrown(thrown)
    return undefined
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const rejection = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  // It also rejects when nobody races it any more.
  rejection.catch(() => {})
  return rejection
}

function failure(what: string, deadlineMs: number, attempts: number, lastThrown: unknown): string {
  const tries = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  const reason = lastThrown instanceof Error ? `; the last one threw: ${lastThrown.message}` : ''
  return `Waited ${deadlineMs} ms for ${what}, and it did not come true in ${tries}${reason}`
}
