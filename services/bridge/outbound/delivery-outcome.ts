import { faultOf, unreachable } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Metrics } from '../../../packages/metrics/metrics.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { TaskEnd } from '../../../packages/sql/tasks/task-end.ts'
import type { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import type { Delivery } from './delivery.ts'
import { lastOutcomes, type Settlement } from './store/deliveries.ts'

export interface DeliveryTask {
  readonly id: string
}

/** What a delivery came to for good. */
export interface DeliveryOutcome {
  readonly delivery: Delivery
  readonly status: 'delivered' | 'dead' | 'skipped'
  readonly answered: string | null
  readonly error: string | null
}

type DeliveryEnd = TaskEnd<DeliveryTask, DeliveryOutcome | undefined>

/** What the log of deliveries says of attempts; of those that were none, until when they wait and for whom. */
export const settlementsOf = (ends: readonly DeliveryEnd[], at: Date): Settlement[] =>
  ends.flatMap((end): Settlement[] => {
    const { task } = end
    const { payload, attempt } = task
    const none = { endpoint: null, nextAttemptAt: null, lastError: null, answered: null }
    const common = { ...none, id: payload.id, task, attempts: attempt, at }
    switch (end.is) {
      case 'done': {
        if (end.result === undefined) return []
        const { delivery, status, answered, error } = end.result
        return [{ ...common, status, endpoint: delivery.endpoint, answered, lastError: error }]
      }
      case 'failed':
        return [{ ...common, status: 'waiting', nextAttemptAt: end.nextAt, lastError: end.fault.shown }]
      case 'dead':
        return [{ ...common, status: 'dead', lastError: end.fault.shown }]
      case 'untried': {
        if (end.nextAt === undefined) return []
        const waits = { nextAttemptAt: end.nextAt, lastError: end.fault?.shown ?? null }
        return [{ ...common, ...waits, status: 'waiting', attempts: attempt - 1 }]
      }
      default:
        return unreachable(end)
    }
  })

interface OutcomeDeps {
  readonly book: SubscriptionBook
  readonly database: Database
  readonly log: Log
  readonly metrics: Metrics
}

/** Counts it, and lets the subscription say how it fares. */
export async function tellOutcome(end: DeliveryEnd, deps: OutcomeDeps): Promise<void> {
  if (end.is !== 'done' || end.result === undefined) return
  const { delivery, status, error } = end.result
  count(delivery, status, deps)
  try {
    if (status === 'delivered') await recovered(delivery, deps)
    else if (status === 'dead') await failed(delivery, error ?? '', deps)
    else deps.log.warn('delivery left out', { queue: delivery.subscriptionId, error: error ?? '' })
  } catch (thrown) {
    const { kind, message, logged } = faultOf(thrown)
    deps.log.warn('state of a subscription not looked at', { faultKind: kind, error: logged ?? message })
  }
}

async function recovered({ subscriptionId }: Delivery, { book }: OutcomeDeps): Promise<void> {
  if (await isInError(subscriptionId, book)) await book.markActive(subscriptionId)
}

/** A subscription of which these many in a row could not be delivered is in error. */
const deadInARow = 3

async function failed({ subscriptionId }: Delivery, error: string, deps: OutcomeDeps): Promise<void> {
  const { book, database, log } = deps
  log.error('delivery is dead', { queue: subscriptionId, error })
  if (await isInError(subscriptionId, book)) return
  const last = await lastOutcomes(subscriptionId, deadInARow, database)
  if (last.length === deadInARow && last.every((status) => status === 'dead')) {
    await book.markError(subscriptionId, `The last ${deadInARow} deliveries failed. ${error}`)
  }
}

async function isInError(subscriptionId: string, book: SubscriptionBook): Promise<boolean> {
  const found = await book.serving(subscriptionId)
  return typeof found === 'object' && found.status === 'error'
}

function count({ channel }: Delivery, outcome: string, { metrics }: OutcomeDeps): void {
  metrics
    .counter('corridor_bridge_deliveries_total', 'Deliveries to subscribers, by channel and how they ended', [
      'channel',
      'outcome',
    ])
    .inc({ channel, outcome })
}
