import { createHash } from 'node:crypto'
import type { Patient } from '../../packages/fhir/r4.ts'
import type { FhirCallerOptions } from '../../packages/fhir-http/fhir-caller.ts'
import { ServiceToken } from '../../packages/http/outbound/service-token.ts'
import type { Kit } from '../../packages/service/service.ts'
import { serviceCaller } from '../../packages/tokens/service-caller.ts'
import type { Consent } from '../../ports/consent/consent.ts'
import { httpConsent } from '../../ports/consent/http-consent.ts'
import { httpPermitFacility } from '../../ports/consent/http-permit-facility.ts'
import { cachedFacilityRegistry } from '../../ports/facility-registry/cached-facility-registry.ts'
import type { Facility, FacilityRegistry } from '../../ports/facility-registry/facility-registry.ts'
import { httpFacilityRegistry } from '../../ports/facility-registry/http-facility-registry.ts'
import type { FhirStore } from '../../ports/fhir-store/fhir-store.ts'
import { httpFhirStore } from '../../ports/fhir-store/http-fhir-store.ts'
import { corridorPatientIndex } from '../../ports/patient-index/corridor-patient-index.ts'
import { numberKind } from '../../ports/patient-index/number-kinds.ts'
import type { PatientIndex } from '../../ports/patient-index/patient-index.ts'
import { httpResourceMatching } from '../../ports/resource-matching/http-resource-matching.ts'
import type { ResourceMatching } from '../../ports/resource-matching/resource-matching.ts'
import { cachedTerminology, type CachedTerminology } from '../../ports/terminology/cached-terminology.ts'
import { httpTerminology } from '../../ports/terminology/http-terminology.ts'
import type { Terminology } from '../../ports/terminology/terminology.ts'
import { askedTogether, type AskedTogether } from './asked-together.ts'
import type { Breakers } from './breakers/breakers.ts'
import type { BridgeSection } from './section.ts'

/** What the bridge needs of others. */
export interface BridgeNeighbours {
  /** For what is done because of a message: the message's own AuditEvent tells of it, where it goes to this store. */
  readonly store: FhirStore
  /** For everything else. */
  readonly watchedStore: FhirStore
  /** It is Corridor's own store, and in this process. */
  readonly isOwnStore: boolean
  readonly matching: ResourceMatching
  readonly index: PatientIndex
  readonly facilities: FacilityRegistry
  readonly terminology: CachedTerminology
  readonly consent: Consent
  /** Resolves when the consent service can be asked. */
  readonly checkConsent: () => Promise<void>
}

const scope = 'system/*.cruds'

/** In this process where they run in it, else at their addresses with the service account. */
export function neighboursFor(
  section: BridgeSection,
  kit: Kit & { readonly breakers: Pick<Breakers, 'call'> },
): BridgeNeighbours {
  const { neighbours: near, addresses, outbound, clock, breakers } = kit
  const { clientId, clientSecret } = section
  const caller = serviceCaller({ clientId, scope })
  const token = new ServiceToken({ ...kit, clientId, clientSecret, tokenUrl: `${addresses['auth']}/oauth2/token` })
  const far = { base: addresses['fhir'] ?? '', outbound, clock, token }
  const ownStore = near.fhirStore?.(caller, { auditsItself: section.audit.toFhir })
  const { store, index } = whereTheyAre({ store: ownStore, index: near.patientIndex }, far)
  const registersOnFirstSight = section.registry.autoProvision
  const deadlineMs = section.consent.timeoutMs
  const consentUrl = addresses['consent'] ?? ''
  const farConsent = { base: consentUrl, outbound, token, deadlineMs }
  // In production nobody makes policies but an administrator.
  const permit =
    near.permitFacility ??
    (kit.mode === 'demo' ? (organization: string) => httpPermitFacility(organization, farConsent) : undefined)
  const onRegistered = async ({ organization }: Facility) => permit?.(organization)
  const registry =
    near.facilityRegistry?.({ registersOnFirstSight, onRegistered }) ??
    httpFacilityRegistry({ ...far, registersOnFirstSight, onRegistered })
  // The circuit is behind what is remembered: a sender who is known needs nobody to be asked.
  const guarded: FacilityRegistry = {
    find: (codes, call) => breakers.call('facility-registry', () => registry.find(codes, call), call?.signal),
  }
  return {
    store,
    watchedStore: near.fhirStore?.(caller) ?? store,
    isOwnStore: near.fhirStore !== undefined,
    matching: near.resourceMatching?.(caller) ?? httpResourceMatching(store),
    index,
    facilities: cachedFacilityRegistry(guarded, {
      clock,
      keptMs: section.registry.cacheSeconds * 1_000,
      keptWhileAwayMs: section.registry.cacheWhileAwaySeconds * 1_000,
    }),
    terminology: cachedTerminology(guardedTerminology(near.terminology ?? httpTerminology(far), kit), { clock }),
    consent: near.consent?.(caller, { deadlineMs }) ?? httpConsent(farConsent),
    checkConsent: async () => {
      if (near.consent === undefined) await outbound.getJson(`${consentUrl}/actuator/health/liveness`)
    },
  }
}

/** Its circuit is behind what is remembered, too: a code that is known is translated whatever became of another. */
const guardedTerminology = (
  terminology: Terminology,
  { breakers }: { readonly breakers: Pick<Breakers, 'call'> },
): Terminology => ({
  codingsIn: (needs, call) => breakers.call('terminology', () => terminology.codingsIn(needs, call), call?.signal),
  ...(terminology.state && { state: terminology.state }),
  lookup: (coding, call) => breakers.call('terminology', () => terminology.lookup(coding, call), call?.signal),
})

/** Both in this process, or at their addresses. */
function whereTheyAre(
  { store, index }: { readonly store: FhirStore | undefined; readonly index: PatientIndex | undefined },
  far: FhirCallerOptions & Pick<Kit, 'clock'>,
): AskedTogether {
  if (store !== undefined && index !== undefined) return askedTogether({ store, index }, far)
  return { store: store ?? httpFhirStore(far), index: index ?? corridorPatientIndex({ ...far, newGoldenId }) }
}

/**
 * The same for the same identifiers, so that a message that is run again makes no second golden record. Where none of them
 * is a number of a hospital, a family may share them all.
 */
const newGoldenId = ({ identifier = [], name = [], birthDate = '' }: Patient): string => {
  const numbers = identifier.map(({ system = '', value = '' }) => `${system}|${value}`).sort()
  const isOneRecord = identifier.some((one) => numberKind(one) === 'record')
  const told = isOneRecord ? numbers : [numbers, name, birthDate]
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 32)
}
