import { systemClock } from '../../clock/clock.ts'
import { systemRandom } from '../../clock/ids.ts'
import { unavailable } from '../../faults/fault.ts'
import type { Migration } from './migration-files.ts'
import { waitMaxMsUsual, type LockDeps } from './migration-lock.ts'

/**
 * For a file that made way: lets those behind it pass before the next try, and gives up after as long as a rival is waited
 * for.
 */
export function patienceWithUsers(deps: LockDeps): (migration: Migration) => Promise<void> {
  const { clock = systemClock, random = systemRandom, waitMaxMs = waitMaxMsUsual, stop } = deps
  let since: { readonly file: string; readonly ms: number } | undefined
  return async ({ file }) => {
    const nowMs = clock.monotonicMs()
    if (since?.file !== file) since = { file, ms: nowMs }
    if (nowMs - since.ms >= waitMaxMs) throw inUse(file)
    await clock.sleep(1_000 + random.below(1_000), stop)
  }
}

const inUse = (file: string) =>
  unavailable(
    `Migration ${file} has waited too long for tables that somebody else uses: a backup, or a long question. ` +
      'Wait for its end, or end it (pg_stat_activity names it), then start this copy again.',
    { code: 'MIGRATION_MADE_WAY' },
  )
