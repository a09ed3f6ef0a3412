import type { Clock } from '../../../packages/clock/clock.ts'
import { every, type Recurring } from '../../../packages/clock/every.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { lastReset } from '../store/breaker-resets.ts'

interface WatchDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly onReset: (at: Date) => void
}

const everyMs = 2_000

/** The breakers are each copy's own; a reset that another copy was told reaches this one here. */
export function watchResets(deps: WatchDeps): Recurring {
  const { database, onReset } = deps
  let known: { readonly ms: number | undefined } | undefined
  const work = async () => {
    const last = await lastReset(database)
    const ms = last?.at.getTime()
    // Any other time than before is news: it is of the clock of the copy that was told, which may be behind all others.
    const isNew = known !== undefined && known.ms !== ms
    known = { ms }
    if (isNew && last !== undefined) onReset(last.at)
  }
  return every(everyMs, { work, failed: 'bridge.resets-not-read', atOnce: true }, deps)
}
