import { derivedId } from '../derived-id.ts'
import type { DeliveryChannel } from '../subscriptions/subscription.ts'

export const deliveryStatuses = ['waiting', 'delivered', 'dead', 'skipped'] as const

export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** A version of a resource on its way to a subscriber. */
export interface NewDelivery {
  /** `deliveryIdOf`; also the key by which the receiver tells a repetition. */
  readonly id: string
  readonly subscriptionId: string
  readonly transactionId: string
  readonly patient: string | null
  readonly resource: string
  readonly versionId: string | null
  readonly channel: DeliveryChannel
  readonly endpoint: string
  readonly payload: string
  readonly status: DeliveryStatus
  readonly lastError: string | null
}

/** A version is told of once for each subscription. */
export const deliveryIdOf = (subscriptionId: string, resource: string, version: string): string =>
  derivedId('delivery', subscriptionId, resource, version)

export interface Delivery extends NewDelivery {
  readonly attempts: number
  readonly createdAt: Date
  readonly nextAttemptAt: Date | null
  readonly settledAt: Date | null
  readonly answered: string | null
  /** Who had it sent again, the last time that somebody did. */
  readonly resentAt: Date | null
  readonly resentBy: string | null
}

/** Whether there is something to send: not where the message could not be made. A call may be all that is sent. */
export const hasContent = ({ payload, channel }: NewDelivery): boolean => payload !== '' || channel === 'rest-hook'

/** Why a delivery was left out that another time would have been sent: it can be, when the subscription is on again. */
export const switchedOff = 'The subscription was switched off or removed.'

/** Why one that had waited did not go out in the end: what it tells is not so any more. */
export const changedSince = 'The record has changed since: what it tells is no longer so.'
export const deletedSince = 'What it tells of was deleted since.'
export const overtaken = 'The receiver has a newer version of it by now.'

/** Why a short message was not made: an earlier one says it, which has arrived or is still to arrive. */
export const sameToldBefore = 'The same was told of the visit before.'
export const toldBeforeRerun = 'The message was run again: who is told by short messages was told before.'

/** Whether somebody should be offered to send it: it did not arrive, and not because of what it is. */
export const isWorthSending = (delivery: NewDelivery): boolean =>
  hasContent(delivery) &&
  (delivery.status === 'dead' || (delivery.status === 'skipped' && delivery.lastError === switchedOff))

export const deliveryTopic = 'bridge.delivery'

/** Those of one subscription and patient go out one after the other. */
export const orderKey = ({
  subscriptionId,
  patient,
  resource,
}: Pick<NewDelivery, 'subscriptionId' | 'patient' | 'resource'>): string => `${subscriptionId} ${patient ?? resource}`
