import { faultOf } from '../../../packages/faults/fault.ts'
import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import type { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import type { Subscription } from '../subscriptions/subscription.ts'
import { refusalIn } from './criteria-refusal.ts'
import type { ChangedResource, WriteEvent } from '../pipeline/write-event.ts'

/** A resource that a message has written, in the version that it wrote. */
export interface Written {
  readonly event: WriteEvent
  readonly change: ChangedResource
  readonly resource: FhirResource
}

export interface Matched extends Written {
  readonly subscription: Subscription
}

/** What the messages wrote, all of it in one call; what is gone by now was deleted. */
export async function readWritten(
  events: readonly WriteEvent[],
  matching: ResourceMatching,
  call: CallOptions,
): Promise<Written[]> {
  const changes = events.flatMap((event) =>
    event.resources.filter(({ operation }) => operation !== 'delete').map((change) => ({ event, change })),
  )
  const versions = changes.map(({ change }) => ({ ...change, version: change.versionId ?? undefined }))
  const found = await matching.readVersions(versions, call)
  return changes.flatMap((one, index) => {
    const resource = found[index]
    // Sound: a FHIR server holds FHIR resources.
    return resource === undefined ? [] : [{ ...one, resource: resource as FhirResource }]
  })
}

/** In the order of the events, so that deliveries keep it. A subscription whose criteria cannot be asked is marked. */
export async function matchSubscriptions(
  written: readonly Written[],
  subscriptions: readonly Subscription[],
  deps: { readonly matching: ResourceMatching; readonly book: SubscriptionBook },
  call: CallOptions,
): Promise<Matched[]> {
  const matched: Matched[] = []
  for (const subscription of subscriptions) {
    const candidates = written.filter(({ change }) => change.type === subscription.criteria.type)
    if (candidates.length === 0) continue
    const resources = candidates.map(({ resource }) => resource)
    try {
      const answers = await deps.matching.matches(subscription.criteria, resources, call)
      matched.push(...candidates.filter((_, index) => answers[index]).map((one) => ({ ...one, subscription })))
    } catch (thrown) {
      await deps.book.markError(subscription.id, refusalIn(faultOf(thrown)), call)
    }
  }
  return matched
}
