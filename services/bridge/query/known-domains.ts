import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import { cannotSearch } from '../../../ports/fhir-store/cannot-search.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Breakers } from '../breakers/breakers.ts'
import { keyToken } from '../mapping/transaction.ts'

/** Whether the exchange knows an identifier domain: somebody has a number of it. */
export type KnowsDomain = (system: string, signal: AbortSignal) => Promise<boolean>

export interface KnowsDomainDeps {
  readonly store: Pick<FhirStore, 'search'>
  readonly breakers: Pick<Breakers, 'call'>
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/** A domain whose first patient has just come is believed soon; one that has patients does not lose them all. */
const [knownMs, unknownMs] = [60 * 60_000, 10_000]
const domainsMax = 1_000

/**
 * Looks for one patient of the domain, and remembers what came of it: identifiers lie in the index by their value, so a
 * domain that nobody has a number of is the dearest of all to look for.
 */
export function knowsDomain({ store, breakers, clock }: KnowsDomainDeps): KnowsDomain {
  const told = new LRUCache<string, { readonly isKnown: boolean; readonly untilMs: number }>({ max: domainsMax })
  return async (system, signal) => {
    const before = told.get(system)
    if (before !== undefined && clock.monotonicMs() < before.untilMs) return before.isKnown
    const isKnown = await breakers.call('fhir-server', () => hasPatients(system, signal, store), signal)
    told.set(system, { isKnown, untilMs: clock.monotonicMs() + (isKnown ? knownMs : unknownMs) })
    return isKnown
  }
}

async function hasPatients(system: string, signal: AbortSignal, store: KnowsDomainDeps['store']): Promise<boolean> {
  const criteria = { identifier: keyToken({ system, value: '' }), _count: '1' }
  try {
    return (await store.search('Patient', criteria, { signal })).length > 0
  } catch (thrown) {
    // A server that cannot search so leaves it open, and whoever asks is told what there is.
    const fault = faultOf(thrown)
    if (cannotSearch(fault)) return true
    throw fault
  }
}
