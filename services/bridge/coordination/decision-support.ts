import type { Bundle, MedicationRequest, Observation } from '../../../packages/fhir/r4.ts'
import type { CallOptions, FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { firedRules, isWatchedDrug, isWatchedResult, watchedResults, type FiredRule } from './cds-rules.ts'

/** What a rule may look at. */
export type Watched = Observation | MedicationRequest

/** Whether a rule is about it: only then the whole patient is looked at. */
export const isWatched = (resource: Watched): boolean =>
  resource.resourceType === 'Observation' ? isWatchedResult(resource) : isWatchedDrug(resource)

/**
 * Which rules fire, by patient. Each of them is about a drug and most patients take none of these, so all are first asked
 * for their prescriptions together; only who takes one is asked for results.
 */
export async function decisionSupport(
  patients: readonly string[],
  store: FhirStore,
  call: CallOptions,
): Promise<ReadonlyMap<string, readonly FiredRule[]>> {
  const fired = new Map<string, readonly FiredRule[]>()
  for (let from = 0; from < patients.length; from += patientsAtOnce) {
    const prescriptions = await activePrescriptions(patients.slice(from, from + patientsAtOnce), store, call)
    for (const [patient, own] of Map.groupBy(prescriptions.filter(isWatchedDrug), patientOf)) {
      const sought = { patient: idOf(patient), code: watchedCodes, _sort: '-date', _count: '100' }
      fired.set(patient, firedRules(await store.search<Observation>('Observation', sought, call), own))
    }
  }
  return fired
}

const patientsAtOnce = 50

const watchedCodes = [...watchedResults].map((code) => `http://loinc.org|${code}`).join(',')

/** Of one patient the first page; of several all, or each half of them by itself. */
async function activePrescriptions(
  patients: readonly string[],
  store: FhirStore,
  call: CallOptions,
): Promise<readonly MedicationRequest[]> {
  const sought = { patient: patients.map(idOf).join(','), status: 'active', _count: '100' }
  const page = await store.searchBundle('MedicationRequest', sought, call)
  if (patients.length === 1 || !hasMore(page)) return prescriptionsIn(page)
  const half = Math.ceil(patients.length / 2)
  const halves = [patients.slice(0, half), patients.slice(half)]
  return (await Promise.all(halves.map((some) => activePrescriptions(some, store, call)))).flat()
}

const hasMore = ({ link }: Bundle): boolean => link?.some(({ relation }) => relation === 'next') === true

const prescriptionsIn = ({ entry = [] }: Bundle): MedicationRequest[] =>
  // Sound: a FHIR server holds FHIR resources.
  entry.flatMap(({ resource }) =>
    resource?.resourceType === 'MedicationRequest' ? [resource as MedicationRequest] : [],
  )

/** `Patient/…`, also where another server writes its own address before it. */
const patientOf = ({ subject }: MedicationRequest): string => /Patient\/[^/]+/.exec(subject.reference ?? '')?.[0] ?? ''

const idOf = (patient: string): string => patient.replace(/^Patient\//, '')
