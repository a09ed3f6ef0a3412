import type { Patient } from '../../packages/fhir/r4.ts'
import { linkedPatientId } from '../patient-index/golden-link.ts'
import { lastSurvivor, mergesMax, mergeTrail } from '../patient-index/merge-trail.ts'
import type { FhirStore } from './fhir-store.ts'

/**
 * Each of these patients once, and who was merged into another as that other: the record that went may still be found by
 * the name or number it had, but nobody should begin anything new with it.
 */
export async function survivorsOf(
  found: readonly Patient[],
  { store, signal }: { readonly store: FhirStore; readonly signal?: AbortSignal },
): Promise<readonly Patient[]> {
  // Nobody where the reader may not see them, or they are not there.
  const known = new Map<string | undefined, Patient | undefined>(found.map((patient) => [patient.id, patient]))
  for (let steps = 1; steps <= mergesMax; steps++) {
    const ids = [...new Set([...known.values()].map(survivorIdOf))].filter((id) => id !== undefined && !known.has(id))
    if (ids.length === 0) break
    const search = { _id: ids.join(','), _count: String(ids.length) }
    const further = await store.search<Patient>('Patient', search, signal === undefined ? {} : { signal })
    for (const id of ids)
      known.set(
        id,
        further.find((patient) => patient.id === id),
      )
  }
  const trails = await Promise.all(found.map((patient) => mergeTrail(patient, async (id) => known.get(id))))
  // Where the way leads to nobody, the record that was found is shown after all.
  const shown = trails.map((trail, at) => lastSurvivor(trail) ?? found[at])
  return [...new Map(shown.map((patient) => [patient?.id, patient])).values()].filter((one) => one !== undefined)
}

const survivorIdOf = (patient: Patient | undefined): string | undefined =>
  patient && linkedPatientId(patient, 'replaced-by')
