import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { Fault, type FaultKind } from '../../../packages/faults/fault.ts'
import { silentLog } from '../../../packages/log/log.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Subscription as FhirSubscription } from '../../../ports/fhir-store/resources.ts'
import type { ResourceMatching } from '../../../ports/resource-matching/resource-matching.ts'
import { finishedMessage } from '../audit/testing/finished-messages.ts'
import { writeEventOf } from '../pipeline/write-event.ts'
import { SubscriptionBook } from '../subscriptions/subscription-book.ts'
import { matchSubscriptions } from './match-subscriptions.ts'

const subscriptionOf = (id: string): FhirSubscription & { readonly id: string } => ({
  ...{ resourceType: 'Subscription', id, status: 'active', reason: 'A test', criteria: `Patient?_tag=${id}` },
  channel: { type: 'rest-hook', endpoint: 'http://127.0.0.1:9/' },
})

/** One message that has written a patient, for two subscriptions, of which the store answers the first with a fault. */
async function matchedWhere(fault: Fault) {
  const marked: unknown[] = []
  // Sound: a book asks nothing else of a store.
  const fhirStore = {
    searchAll: async () => ['first', 'second'].map(subscriptionOf),
    read: async (_type: string, id: string) => subscriptionOf(id),
    update: async ({ id, status }: FhirSubscription) => void marked.push({ id, status }),
  } as unknown as FhirStore
  const refusals = { refusal: () => undefined, criteriaRefusal: async () => undefined }
  const book = new SubscriptionBook({ fhirStore, clock: new SimulatedClock(), log: silentLog, ...refusals })
  const matching: ResourceMatching = {
    readVersions: async () => [],
    async matches({ query }, resources) {
      if (query.includes('first')) throw fault
      return resources.map(() => true)
    },
  }
  const events = [writeEventOf(finishedMessage()) ?? []].flat()
  const written = events.flatMap((event) =>
    event.resources.map((change) => ({ event, change, resource: { resourceType: 'Patient', id: change.id } as const })),
  )
  const matched = matchSubscriptions(written, await book.current(), { matching, book }, {})
  return { matched, marked }
}

describe('a search by the criteria of a subscription that fails', () => {
  it.each<FaultKind>(['incorrect', 'unprocessable', 'missing'])(
    'with %s speaks of the criteria: the subscription is marked, and others are served',
    async (kind) => {
      const { matched, marked } = await matchedWhere(new Fault(kind, 'No.'))
      expect((await matched).map(({ subscription }) => subscription.id)).toEqual(['second'])
      expect(marked).toEqual([{ id: 'first', status: 'error' }])
    },
  )

  it.each<FaultKind>(['forbidden', 'unauthenticated', 'conflict', 'too-much', 'unavailable', 'bug'])(
    'with %s says nothing of them: all of it is done again, so that no delivery is lost',
    async (kind) => {
      const fault = new Fault(kind, 'Not now.')
      const { matched, marked } = await matchedWhere(fault)
      await expect(matched).rejects.toBe(fault)
      expect(marked).toEqual([])
    },
  )
})
