import type { MedicationRequest, Observation } from '../../../packages/fhir/r4.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import { firedRules, isWatchedDrug, isWatchedResult, watchedResults, type FiredRule } from './cds-rules.ts'

/** What a rule may look at. */
export type Watched = Observation | MedicationRequest

/** Whether a rule is about it: only then the whole patient is looked at. */
export const isWatched = (resource: Watched): boolean =>
  resource.resourceType === 'Observation' ? isWatchedResult(resource) : isWatchedDrug(resource)

/**
 * Which rules fire, by patient. Each of them is about a drug and most patients take none of these, so all are first asked
 * for their prescriptions together, to the last one; only who takes one is asked for results.
 */
export async function decisionSupport(
  patients: readonly string[],
  store: FhirStore,
  call: CallOptions,
): Promise<ReadonlyMap<string, readonly FiredRule[]>> {
  const fired = new Map<string, readonly FiredRule[]>()
  const active = { patient: patients.map(idOf).join(','), status: 'active' }
  const prescriptions = await store.searchAll<MedicationRequest>('MedicationRequest', active, call)
  for (const [patient, own] of Map.groupBy(prescriptions.filter(isWatchedDrug), patientOf)) {
    const sought = { patient: idOf(patient), code: watchedCodes, _sort: '-date', _count: '100' }
    fired.set(patient, firedRules(await store.search<Observation>('Observation', sought, call), own))
  }
  return fired
}

const watchedCodes = [...watchedResults].map((code) => `http://loinc.org|${code}`).join(',')

/** `Patient/…`, also where another server writes its own address before it. */
const patientOf = ({ subject }: MedicationRequest): string => /Patient\/[^/]+/.exec(subject.reference ?? '')?.[0] ?? ''

const idOf = (patient: string): string => patient.replace(/^Patient\//, '')
