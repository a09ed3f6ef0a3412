import type { Clock } from '../../../packages/clock/clock.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { summarySections, type SummarySection } from '../../../ports/coordination/coordination.ts'
import type { FhirStore, SearchParameters } from '../../../ports/fhir-store/fhir-store.ts'
import type { CallOptions } from '../../../ports/call-options.ts'
import type { Resource } from '../../../ports/fhir-store/resources.ts'
import { beginSummary, forgetSummaries, readSummary, storeSummary } from './store/coordination.ts'

interface SummaryDeps {
  readonly fhirStore: FhirStore
  readonly database: Database
  readonly clock: Clock
}

export type PatientSummary = Readonly<Partial<Record<SummarySection, readonly Resource[]>>>

/**
 * The summary of a patient: from the cache, with only those sections built anew that a message has changed since. Others
 * write into the store, too, and tell nobody, so after some minutes all of it is built anew.
 */
export async function patientSummary(patient: string, deps: SummaryDeps, call?: CallOptions): Promise<PatientSummary> {
  const { database, clock } = deps
  const now = clock.now()
  const stored = (await readSummary(patient, database)) ?? (await beginSummary(patient, summarySections, now, database))
  const kept = stored !== undefined && now.getTime() - stored.builtAt.getTime() < summaryKeptMs ? stored : undefined
  const wanted =
    kept === undefined ? summarySections : summarySections.filter((one) => kept.staleSections.includes(one))
  // Sound: only this function writes contents.
  const before = (kept?.content ?? {}) as PatientSummary
  if (wanted.length === 0) return before
  const built: Partial<Record<SummarySection, readonly Resource[]>> = {}
  await Promise.all(wanted.map(async (section) => (built[section] = await build(section, patient, deps, call))))
  const summary: PatientSummary = { ...before, ...built }
  // The age of a summary is that of its oldest section.
  const at = kept?.builtAt ?? now
  if (summary.demographics?.length === 0) await forgetSummaries([patient], database)
  else if (stored !== undefined) await storeSummary(patient, summary, { mark: stored.mark, at }, database)
  return summary
}

export const summaryKeptMs = 300_000

async function build(
  section: SummarySection,
  patient: string,
  { fhirStore }: SummaryDeps,
  call: CallOptions | undefined,
): Promise<readonly Resource[]> {
  const id = patient.replace(/^Patient\//, '')
  if (section === 'demographics') {
    const found = await fhirStore.read('Patient', id, call)
    return found === undefined ? [] : [found]
  }
  const { type, ...parameters } = searches[section]
  const sought = { ...parameters, patient: id }
  return needsAll.has(section) ? fhirStore.searchAll(type, sought, call) : fhirStore.search(type, sought, call)
}

/** A drug or an allergy that is not listed counts as none: these come whole or not at all. */
const needsAll: ReadonlySet<SummarySection> = new Set(['medications', 'allergies', 'problems'])

type SectionSearch = SearchParameters & { readonly type: string }

/** Of the others the latest ones. */
const searches: Readonly<Record<Exclude<SummarySection, 'demographics'>, SectionSearch>> = {
  encounters: { type: 'Encounter', _sort: '-date', _count: '10' },
  results: { type: 'Observation', _sort: '-date', _count: '20' },
  medications: { type: 'MedicationRequest', status: 'active' },
  allergies: { type: 'AllergyIntolerance' },
  problems: { type: 'Condition' },
  procedures: { type: 'Procedure', _sort: '-date', _count: '20' },
  immunizations: { type: 'Immunization', _sort: '-date', _count: '50' },
  documents: { type: 'DocumentReference', _sort: '-date', _count: '20' },
  appointments: { type: 'Appointment', _sort: '-date', _count: '10' },
  orders: { type: 'ServiceRequest', status: 'active', _sort: '-authored', _count: '20' },
}
