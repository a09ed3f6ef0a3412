import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { forgetEvents } from '../coordination/store/coordination.ts'
import { pruneDeliveries } from './store/deliveries.ts'

export interface SweepDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Every hour removes what is older than it must be, until the signal comes. */
export async function sweep(
  retentionDays: number,
  { database, clock, log }: SweepDeps,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await pruneDeliveries(new Date(clock.now().getTime() - retentionDays * dayMs), database, signal)
      await forgetEvents(new Date(clock.now().getTime() - 7 * dayMs), database, signal)
    } catch (thrown) {
      log.warn('deliveries not swept', { faultKind: faultOf(thrown).kind })
    }
    await clock.sleep(hourMs, signal).catch(() => {})
  }
}
