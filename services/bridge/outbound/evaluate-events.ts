import type { Clock } from '../../../packages/clock/clock.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import type { Outbox, OutboxBatchWorker } from '../../../packages/sql/tasks/outbox.ts'
import { isRefusalOfUs } from '../../../packages/sql/tasks/outside.ts'
import type { BatchEffect } from '../../../packages/sql/tasks/task-batch-worker.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import { coordinationTopic } from '../coordination/tell-coordination.ts'
import type { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import { deliveryTopic, orderKey, type NewDelivery } from './delivery.ts'
import { asideMessage, asideTopic, writeLine } from '../pipeline/6-dispatch.ts'
import { readKnownVisits } from './known-visits.ts'
import { readLocalZones, type LocalZonesDeps } from './local-zones.ts'
import { matchSubscriptions, readWritten, type Matched } from './match-subscriptions.ts'
import { planDelivery, type SenderSettings } from './plan-delivery.ts'
import { postWritesOf } from './post-write.ts'
import { addDeliveries } from './store/deliveries.ts'
import { readSurroundings } from './surroundings.ts'
import type { WriteEvent } from '../pipeline/write-event.ts'

interface EvaluateDeps extends LocalZonesDeps {
  readonly outbox: Outbox
  readonly database: Queryable
  readonly matching: ResourceMatching
  readonly book: SubscriptionBook
  readonly sender: SenderSettings
  readonly clock: Clock
}

const pace = { gatherMs: 200, backoff: { baseMs: 500, maxMs: 30_000, multiplier: 2, jitter: 0.2 } }

const ownAttemptsMax = 10

/** About 200 events. */
const lineBytesMax = 150_000

/**
 * Turns what messages have written into deliveries, many messages at a time and in the order of their ends. Events that
 * cannot be evaluated together are set aside and tried one by one; later ones of their patients go behind them, and all
 * others pass.
 */
export function evaluateLine(deps: EvaluateDeps): OutboxBatchWorker<readonly WriteEvent[]> {
  const { outbox } = deps
  return outbox.deliverLine<readonly WriteEvent[]>({
    ...writeLine,
    ...pace,
    batchMax: 200,
    bytesMax: lineBytesMax,
    // While a copy that was killed has the line in hand, nothing goes on.
    leaseMs: 30_000,
    async handle(tasks, signal) {
      const events = tasks.flatMap(({ payload }) => payload)
      const open = await outbox.openKeys(asideTopic, [...new Set(events.flatMap(({ patient }) => patient ?? []))])
      const isBehind = ({ patient }: WriteEvent) => patient !== null && open.has(patient)
      const effect = await evaluate(
        events.filter((event) => !isBehind(event)),
        deps,
        signal,
      )
      return async (tx) => {
        await effect(tx)
        await setAside(events.filter(isBehind), outbox)(tx)
      }
    },
    setAside: (tasks) =>
      setAside(
        tasks.flatMap(({ payload }) => payload),
        outbox,
      ),
  })
}

/**
 * The same for those that were set aside, of each patient one at a time. An event that cannot be evaluated is given up
 * soon, and its patient goes on; what the store refuses to us is no event's fault, and is tried for a day.
 */
export function evaluateAside(deps: EvaluateDeps): OutboxBatchWorker<WriteEvent> {
  return deps.outbox.deliverInBatches<WriteEvent>({
    ...pace,
    topics: [asideTopic],
    batchMax: 200,
    attemptsMax: 3_000,
    isPermanent: (fault, attempt) => attempt >= ownAttemptsMax && !isRefusalOfUs(fault),
    handle: (tasks, signal) =>
      evaluate(
        tasks.map(({ payload }) => payload),
        deps,
        signal,
      ),
  })
}

const setAside =
  (events: readonly WriteEvent[], outbox: Outbox): BatchEffect =>
  async (tx) => {
    if (events.length > 0) await outbox.enqueue(tx, ...events.map(asideMessage))
  }

async function evaluate(events: readonly WriteEvent[], deps: EvaluateDeps, signal: AbortSignal): Promise<BatchEffect> {
  const { outbox, matching, book, sender, clock } = deps
  if (events.length === 0) return async () => {}
  const subscriptions = await book.current({ signal })
  const written = await readWritten(events, matching, { signal })
  const matched = await matchSubscriptions(written, subscriptions, deps, { signal })
  const resolveFor = await readSurroundings(matched, written, matching, { signal })
  const zoneFor = await readLocalZones(matched, deps, { signal })
  const knownOf = await readKnownVisits(matched, deps, { signal })
  const aroundOf = (one: Matched) => ({ resolve: resolveFor(one), timeZone: zoneFor(one), known: knownOf(one) })
  const deliveries = unique(matched.map((one) => planDelivery(one, aroundOf(one), sender, clock.now())))
  const told = postWritesOf(events, written)
  return async (tx) => {
    const added = await addDeliveries(deliveries, clock.now(), tx)
    const waiting = deliveries.filter(({ id, status }) => status === 'waiting' && added.has(id))
    await outbox.enqueue(
      tx,
      ...waiting.map((delivery) => ({
        topic: deliveryTopic,
        key: orderKey(delivery),
        payload: { id: delivery.id },
      })),
      // One task for all of them, one after the other: the order of a patient's events is kept.
      { topic: coordinationTopic, key: coordinationTopic, payload: told },
    )
  }
}

/** One message can name a version twice. */
const unique = (deliveries: readonly NewDelivery[]): NewDelivery[] => [
  ...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values(),
]
