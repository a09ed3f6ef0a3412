import type { Clock } from '../../../packages/clock/clock.ts'
import { conflict, missing, type Fault } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import type { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { deliveryTopic, hasContent, orderKey, switchedOff, type Delivery } from './delivery.ts'
import type { WhyOutdated } from './outdated.ts'
import { readDeliveries, reopenDelivery } from './store/deliveries.ts'
import { countDead, reopenDead } from './store/reopen-dead.ts'

interface ResendDeps {
  readonly outbox: Outbox
  readonly database: Database
  readonly book: SubscriptionBook
  readonly whyOutdated: WhyOutdated
  readonly clock: Clock
  readonly log: Log
}

/** Lets a settled delivery be tried afresh, under the same key, as the last of its subscription and patient. */
export async function resend(id: string, by: string, deps: ResendDeps): Promise<Delivery> {
  const { outbox, database, clock, log } = deps
  const [before] = await readDeliveries([id], database)
  const outdated = before && (await outdatedNow(before, deps))
  return database.transaction(async (tx) => {
    const reopened = await reopenDelivery(id, by, clock.now(), tx)
    if (reopened === undefined) {
      const [there] = await readDeliveries([id], tx)
      if (there === undefined) throw missing('There is no such delivery.')
      throw whyNot(there)
    }
    if (!hasContent(reopened)) {
      throw conflict('There is nothing to send: the message could not be made.', { code: 'DELIVERY_EMPTY' })
    }
    if (outdated !== undefined) throw conflict(outdated, { code: supersededCode })
    await outbox.enqueue(tx, { topic: deliveryTopic, key: orderKey(reopened), payload: { id } })
    log.info('delivery is sent again', { transactionId: reopened.transactionId, queue: reopened.subscriptionId })
    return reopened
  })
}

/** How many were given up and could be made, how many of them are sent again, and how many would undo newer ones. */
export interface ResentDead {
  readonly matched: number
  readonly accepted: number
  readonly superseded: number
  /** Those that are, in their order. */
  readonly deliveryIds: readonly string[]
}

/** As many as one call may take at once. */
const batchMax = 1_000

/** The same for what was given up of a subscription, the oldest first. What is outdated of it is found when it is tried. */
export async function resendDead(subscriptionId: string, by: string, deps: ResendDeps): Promise<ResentDead> {
  const { outbox, database, clock, log } = deps
  await checkIsOn(subscriptionId, deps)
  return database.transaction(async (tx) => {
    const counted = await countDead(subscriptionId, tx)
    const reopened = await reopenDead(subscriptionId, { by, now: clock.now(), limit: batchMax }, tx)
    const tasks = reopened.map((one) => ({ topic: deliveryTopic, key: orderKey(one), payload: { id: one.id } }))
    if (tasks.length > 0) await outbox.enqueue(tx, ...tasks)
    log.info('deliveries are sent again', { queue: subscriptionId, count: tasks.length })
    return { ...counted, accepted: tasks.length, deliveryIds: reopened.map(({ id }) => id) }
  })
}

/** One that cannot be served now lets what is sent again die, with why. */
async function outdatedNow(delivery: Delivery, deps: ResendDeps): Promise<string | undefined> {
  const subscription = await checkIsOn(delivery.subscriptionId, deps)
  return typeof subscription === 'string' ? undefined : deps.whyOutdated(delivery, subscription)
}

async function checkIsOn(subscriptionId: string, { book }: Pick<ResendDeps, 'book'>): Promise<Subscription | string> {
  const subscription = await book.serving(subscriptionId)
  if (subscription === undefined) throw conflict(switchItOn, { code: 'SUBSCRIPTION_OFF' })
  return subscription
}

const switchItOn = `${switchedOff} Give it the status requested in the FHIR store, then send again.`

function whyNot({ status, lastError }: Delivery): Fault {
  if (status === 'waiting') return conflict('The delivery is still waiting to be sent.', { code: 'DELIVERY_WAITING' })
  if (status === 'skipped' && lastError !== switchedOff) {
    return conflict('The delivery was left out on purpose: it is not sent again.', { code: 'DELIVERY_SKIPPED' })
  }
  return conflict(superseded, { code: supersededCode })
}

const supersededCode = 'DELIVERY_SUPERSEDED'

const superseded =
  'The receiver has a newer version of the same resource, or one is on its way: this one would undo it there.'
