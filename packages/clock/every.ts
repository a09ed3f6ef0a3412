import { faultOf } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from './clock.ts'
import { pause } from './pause.ts'

/** Something that is done again and again. Its end waits for what has begun. */
export interface Recurring {
  readonly end: () => Promise<void>
}

interface EveryDeps {
  readonly clock: Pick<Clock, 'sleep'>
  readonly log: Pick<Log, 'warn'>
}

interface RecurringWork {
  readonly work: (signal: AbortSignal) => Promise<unknown>
  /** Under this name the log is told when it fails. */
  readonly failed: string
  /** Does it for the first time without waiting. */
  readonly atOnce?: boolean
}

/**
 * Waits, does the work, and waits again, until it is ended. Work that fails is told to the log and done again at its
 * next time. Long work looks at the signal.
 */
export function every(
  ms: number,
  { work, failed, atOnce = false }: RecurringWork,
  { clock, log }: EveryDeps,
): Recurring {
  const ended = new AbortController()
  const { signal } = ended
  const running = (async () => {
    for (let isFirst = true; ; isFirst = false) {
      if (!isFirst || !atOnce) await pause(clock, ms, signal)
      if (signal.aborted) return
      try {
        await work(signal)
      } catch (thrown) {
        const { kind, logged, message } = faultOf(thrown)
        log.warn(failed, { faultKind: kind, error: logged ?? message })
      }
    }
  })()
  return {
    end: async () => {
      ended.abort()
      await running
    },
  }
}
