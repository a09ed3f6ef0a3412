import type { Clock } from '../../../packages/clock/clock.ts'
import type { Outbox, OutboxBatchWorker } from '../../../packages/sql/outbox.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import type { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import { deliveryTopic, orderKey, type NewDelivery } from './delivery.ts'
import { writeTopic } from './dispatch-telling.ts'
import { matchSubscriptions, readWritten } from './match-subscriptions.ts'
import { planDelivery, type SenderSettings } from './plan-delivery.ts'
import { postWritesOf } from './post-write.ts'
import { addDeliveries } from './store/deliveries.ts'
import { readSurroundings } from './surroundings.ts'
import type { WriteEvent } from './write-event.ts'

export const coordinationTopic = 'bridge.coordination'

export interface EvaluateDeps {
  readonly outbox: Outbox
  readonly matching: ResourceMatching
  readonly book: SubscriptionBook
  readonly sender: SenderSettings
  readonly clock: Clock
}

/** Turns what messages have written into deliveries, many messages at a time. */
export function evaluateEvents(deps: EvaluateDeps): OutboxBatchWorker<WriteEvent> {
  const { outbox, matching, book, sender, clock } = deps
  return outbox.deliverInBatches<WriteEvent>({
    topics: [writeTopic],
    gatherMs: 200,
    batchMax: 200,
    backoff: { baseMs: 500, maxMs: 30_000, multiplier: 2, jitter: 0.2 },
    handle: async (tasks, signal) => {
      const events = tasks.map(({ payload }) => payload)
      const subscriptions = await book.current({ signal })
      const written = await readWritten(events, matching, { signal })
      const matched = await matchSubscriptions(written, subscriptions, deps, { signal })
      const resolveFor = await readSurroundings(matched, written, matching, { signal })
      const deliveries = unique(matched.map((one) => planDelivery(one, resolveFor(one), sender)))
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
    },
  })
}

/** One message can name a version twice. */
const unique = (deliveries: readonly NewDelivery[]): NewDelivery[] => [
  ...new Map(deliveries.map((delivery) => [delivery.id, delivery])).values(),
]
