import { every, type Recurring } from '../../packages/clock/every.ts'
import { earlierNow } from '../../packages/sql/earlier-now.ts'
import type { AuthDeps } from './deps.ts'
import { sweep } from './store/sweep.ts'

const everyMs = 600_000

/** Clears away what has expired, every ten minutes. Copies that do so at the same time do no harm. */
export function keepSweeping(deps: Pick<AuthDeps, 'database' | 'clock' | 'log'>): Recurring {
  const { database, clock, log } = deps
  const work = async (signal: AbortSignal) => {
    const count = await sweep(await earlierNow(clock, database), database, signal)
    if (count > 0) log.debug('expired rows were removed', { count })
  }
  return every(everyMs, { work, failed: 'expired rows could not be removed' }, deps)
}
