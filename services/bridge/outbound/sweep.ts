import type { Clock } from '../../../packages/clock/clock.ts'
import { every, type Recurring } from '../../../packages/clock/every.ts'
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

/** Every hour removes what is older than it must be. */
export function sweep(retentionDays: number, deps: SweepDeps): Recurring {
  const { database, clock } = deps
  const before = (days: number) => new Date(clock.now().getTime() - days * dayMs)
  const work = async (signal: AbortSignal) => {
    await pruneDeliveries(before(retentionDays), database, signal)
    await forgetEvents(before(7), database, signal)
  }
  return every(hourMs, { work, failed: 'deliveries not swept', atOnce: true }, deps)
}
