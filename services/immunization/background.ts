import { every, type Recurring } from '../../packages/clock/every.ts'
import { earlierNow } from '../../packages/sql/earlier-now.ts'
import type { ImmunizationDeps } from './deps.ts'
import { sweep } from './store/sweep.ts'

const minuteMs = 60_000

/**
 * Every minute takes up keys that other copies made, and addresses that they have, and makes a key that is due, every ten clears away what has expired;
 * each for itself: keys that cannot be taken up keep nothing else from being done.
 */
export function keepUp(
  deps: Pick<ImmunizationDeps, 'database' | 'clock' | 'log' | 'certificateKeys' | 'cardIssuers'>,
): Recurring {
  const { database, clock, certificateKeys, cardIssuers } = deps
  const keepKeys = async () => {
    await certificateKeys.reload()
    await certificateKeys.rotateByAge()
    await certificateKeys.check()
    await cardIssuers.reload()
  }
  const clearAway = async (signal: AbortSignal) => sweep(await earlierNow(clock, database), database, signal)
  const tasks = [
    every(minuteMs, { work: keepKeys, failed: 'certificate keys not kept up' }, deps),
    every(10 * minuteMs, { work: clearAway, failed: 'expired rows could not be removed' }, deps),
  ]
  return { end: async () => void (await Promise.all(tasks.map((task) => task.end()))) }
}
