import type { Clock } from '../../../packages/clock/clock.ts'
import type { FhirResource } from '../../../packages/fhir/r4.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import type { ResourceMatching, SoughtVersion } from '../../../ports/resource-matching/resource-matching.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { changedSince, deletedSince, type Delivery } from './delivery.ts'
import { lateOf } from './plan-delivery.ts'

/** Why a delivery should not go out any more: what it tells is not so by now, and nothing newer will put it right. */
export type WhyOutdated = (delivery: Delivery, subscription: Subscription) => Promise<string | undefined>

/**
 * By the record as it is now. A newer version that the subscription asks for has a delivery of its own, behind this one;
 * of one that it does not ask for the receiver would never hear.
 */
export function outdatedBy({
  matching,
  clock,
}: {
  readonly matching: ResourceMatching
  readonly clock: Clock
}): WhyOutdated {
  const readNow = new Batcher<SoughtVersion, FhirResource | undefined>({
    // Sound: a FHIR server holds FHIR resources.
    write: (wanted) => matching.readVersions(wanted) as Promise<readonly (FhirResource | undefined)[]>,
  })
  return async ({ resource, versionId, payload }, subscription) => {
    // A call without content holds nothing that could be old.
    if (payload === '') return undefined
    const [type = '', id = ''] = resource.split('/')
    const now = await readNow.submit({ type, id, version: undefined })
    if (now === undefined) return deletedSince
    const late = lateOf({ subscription, resource: now }, clock.now())
    if (late !== undefined || now.meta?.versionId === versionId) return late
    const [isAskedFor] = await matching.matches(subscription.criteria, [now])
    return isAskedFor === true ? undefined : changedSince
  }
}

/** What was true so short a time ago is sent as it is: the attempts of a delivery take no longer. */
const believedMs = 300_000

/** Whether a delivery has waited so long, or lain so long before somebody had it sent again, that it may be outdated. */
export const mayBeOutdated = ({ createdAt, resentAt }: Delivery, now: Date): boolean =>
  resentAt !== null || now.getTime() - createdAt.getTime() >= believedMs
