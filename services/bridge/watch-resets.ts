import type { Clock } from '../../packages/clock/clock.ts'
import { faultOf } from '../../packages/faults/fault.ts'
import type { Log } from '../../packages/log/log.ts'
import type { Database } from '../../packages/sql/database.ts'
import { lastReset } from './store/breaker-resets.ts'

export interface WatchDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly onReset: () => void
}

const everyMs = 2_000

/** The breakers are each copy's own; a reset that another copy was told reaches this one here. Ends with the signal. */
export async function watchResets(signal: AbortSignal, { database, clock, log, onReset }: WatchDeps): Promise<void> {
  let known = clock.now()
  while (!signal.aborted) {
    try {
      const last = await lastReset(database)
      if (last !== undefined && last.at > known) {
        known = last.at
        onReset()
      }
    } catch (thrown) {
      log.warn('bridge.resets-not-read', { error: faultOf(thrown).message })
    }
    await clock.sleep(everyMs, signal).catch(() => {})
  }
}
