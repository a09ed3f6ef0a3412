import type { Observation } from '../../../../packages/fhir/r4.ts'
import type { ShownPatient } from '../../../../packages/people/shown-patient.ts'
import type { FhirStore } from '../../../../ports/fhir-store/fhir-store.ts'
import { patientsByReference, unlessForbidden } from '../../../../ports/fhir-store/find-people.ts'
import { unlessAway } from '../../../../ports/fhir-store/unless-away.ts'
import type { Alert } from '../../coordination/store/alerts.ts'
import { resultText, type ResultText } from './result-text.ts'

/** What critical results say, and of whom, by their references; as far as their reader may see it. */
export interface AlertTexts {
  readonly patients: ReadonlyMap<string, ShownPatient>
  readonly results: ReadonlyMap<string, ResultText>
}

interface TextsDeps {
  /** Acts for the reader. */
  readonly store: FhirStore
  readonly now: Date
  readonly signal: AbortSignal
}

/** In one search each; undefined while the store is away: whoever has heard of a result can acknowledge it all the same. */
export function alertTexts(alerts: readonly Alert[], deps: TextsDeps): Promise<AlertTexts | undefined> {
  return unlessAway(async () => {
    const [patients, results] = await Promise.all([
      patientsByReference(
        alerts.map(({ patient }) => patient),
        deps,
      ),
      resultsByReference(alerts, deps),
    ])
    return { patients, results }
  })
}

async function resultsByReference(alerts: readonly Alert[], { store, signal }: TextsDeps) {
  const ids = [...new Set(alerts.map(({ resource }) => resource.replace(/^Observation\//, '')))]
  if (ids.length === 0) return new Map()
  const search = { _id: ids.join(','), _count: String(ids.length) }
  const found = await unlessForbidden(() => store.search<Observation>('Observation', search, { signal }))
  return new Map(found.map((observation) => [`Observation/${observation.id ?? ''}`, resultText(observation)]))
}
