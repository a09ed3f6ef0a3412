import type { Clock } from '../../../packages/clock/clock.ts'
import { every, type Recurring } from '../../../packages/clock/every.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { earlierNow } from '../../../packages/sql/earlier-now.ts'
import { removeEach } from '../../../packages/sql/remove-each.ts'
import { summaryKeptMs } from '../coordination/patient-summary.ts'
import { forgetAcknowledged } from '../coordination/store/alerts.ts'
import { forgetCards, forgetEvents, forgetSummariesBefore } from '../coordination/store/coordination.ts'
import { pruneDeliveries } from './store/deliveries.ts'

interface SweepDeps {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

interface SweepRule {
  /** The log of deliveries. */
  readonly deliveryDays: number
  /** Those of them that are dead, as long as messages that failed. */
  readonly deadDays: number
  /** What decision support said, and critical results that somebody has acknowledged. */
  readonly coordinationDays: number
}

/** Every hour removes what is older than it must be, and every minute the summaries that are believed no longer. */
export function sweep(rule: SweepRule, deps: SweepDeps): Recurring {
  const { database, clock } = deps
  const clearAway = async (signal: AbortSignal) => sweepOnce(rule, await earlierNow(clock, database), database, signal)
  const forgetSummaries = (signal: AbortSignal) =>
    forgetSummariesBefore(new Date(clock.now().getTime() - summaryKeptMs), database, signal)
  const tasks = [
    every(hourMs, { work: clearAway, failed: 'deliveries not swept', atOnce: true }, deps),
    every(minuteMs, { work: forgetSummaries, failed: 'summaries not forgotten', atOnce: true }, deps),
  ]
  return { end: async () => void (await Promise.all(tasks.map((task) => task.end()))) }
}

/** One round of what is done every hour. */
export async function sweepOnce(
  { deliveryDays, deadDays, coordinationDays }: SweepRule,
  now: Date,
  database: Database,
  signal?: AbortSignal,
): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayMs)
  const forgotten = { settledBefore: before(deliveryDays), deadBefore: before(deadDays) }
  await removeEach([
    () => pruneDeliveries(forgotten, database, signal),
    () => forgetEvents(before(7), database, signal),
    () => forgetCards(before(coordinationDays), database, signal),
    () => forgetAcknowledged(before(coordinationDays), database, signal),
  ])
}
