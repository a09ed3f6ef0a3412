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
  { calculated, stored }: OwnForecast,
  session: Pick<Session, 'scope' | 'fhirUser' | 'patientId'>,
  { store, log, identifierSystem }: StoreForecastDeps,
): Promise<string | undefined> {
  if (!mayWrite(session, stored === undefined ? 'c' : 'u')) return stored?.id
  if (stored !== undefined && sayTheSame(stored, calculated)) return stored.id
  const identifier = [{ system: identifierSystem, value: session.patientId }]
  try {
    if (stored?.id !== undefined) {
      const version = stored.meta?.versionId
      const changed = { ...calculated, identifier, id: stored.id }
      await store.update(changed, version === undefined ? {} : { version })
      return stored.id
    }
    const criteria = { identifier: `${identifierSystem}|${session.patientId}` }
    const { resource } = await store.createUnlessFound({ ...calculated, identifier }, criteria)
    return resource.id
  } catch (error) {
    const { kind, logged, message } = faultOf(error)
    log.warn('the forecast was not stored', { faultKind: kind, error: logged ?? message })
    return stored?.id
  }
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
