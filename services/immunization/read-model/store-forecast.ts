import { faultOf } from '../../../packages/faults/fault.ts'
import type { ImmunizationRecommendation } from '../../../packages/fhir/r4.ts'
import type { Log } from '../../../packages/log/log.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import { permits } from '../../../packages/smart/permits.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { Session } from '../session/session.ts'
import type { OwnForecast } from './own-forecast.ts'

interface StoreForecastDeps {
  readonly store: Pick<FhirStore, 'createUnlessFound' | 'update'>
  readonly log: Log
  /** The system of the identifier under which a patient's forecast is kept, once each. */
  readonly identifierSystem: string
}

/**
 * Writes the forecast for others to see, if the session may. It is for the record and not for this page: whatever goes
 * wrong, the page shows what was worked out. Gives the id under which it lies in the store.
 */
export async function storeForecast(
  own: OwnForecast,
  session: Pick<Session, 'scope' | 'fhirUser' | 'patientId'>,
  deps: StoreForecastDeps,
): Promise<string | undefined> {
  const [first] = own.stored
  if (!mayWrite(session, first === undefined ? 'c' : 'u')) return first?.id
  try {
    if (first === undefined) return await create(own, session.patientId, deps)
    // Each of them: where two records were merged, the other's would go on asking for what was given long ago.
    for (const one of own.stored) await update(one, own, deps)
  } catch (error) {
    const { kind, logged, message } = faultOf(error)
    deps.log.warn('the forecast was not stored', { faultKind: kind, error: logged ?? message })
  }
  return first?.id
}

async function create(
  { calculated }: OwnForecast,
  patientId: string,
  { store, identifierSystem }: StoreForecastDeps,
): Promise<string | undefined> {
  const identifier = [{ system: identifierSystem, value: patientId }]
  const criteria = { identifier: `${identifierSystem}|${patientId}` }
  const { resource } = await store.createUnlessFound({ ...calculated, identifier }, criteria)
  return resource.id
}

/** What it is known by stays. */
async function update(
  stored: ImmunizationRecommendation,
  { calculated }: OwnForecast,
  { store }: StoreForecastDeps,
): Promise<void> {
  const { id, meta, identifier } = stored
  if (id === undefined || sayTheSame(stored, calculated)) return
  const version = meta?.versionId
  const changed = { ...calculated, ...(identifier === undefined ? {} : { identifier }), id }
  await store.update(changed, version === undefined ? {} : { version })
}

/** A patient who looks at their own record writes nothing into it. */
function mayWrite({ scope, fhirUser }: Pick<Session, 'scope' | 'fhirUser'>, letter: 'c' | 'u'): boolean {
  if (fhirUser === null || fhirUser.startsWith('Patient/')) return false
  return permits(parseScopes(scope), { context: 'patient', type: 'ImmunizationRecommendation', operation: letter })
}

/** The day it was worked out may differ. */
function sayTheSame(some: ImmunizationRecommendation, other: ImmunizationRecommendation): boolean {
  return JSON.stringify(sorted(some.recommendation)) === JSON.stringify(sorted(other.recommendation))
}

/** Members in one order: a store may give them back in its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const)
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
