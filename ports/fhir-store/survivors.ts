import type { Patient } from '../../packages/fhir/r4.ts'
import { linkedPatientId } from '../patient-index/golden-link.ts'
import type { FhirStore } from './fhir-store.ts'

/**
 * Each of these patients once, and who was merged into another as that other: the record that went may still be found by
 * the name or number it had, but nobody should begin anything new with it.
 */
export async function survivorsOf(
  found: readonly Patient[],
  { store, signal }: { readonly store: FhirStore; readonly signal?: AbortSignal },
): Promise<readonly Patient[]> {
  const known = new Map(found.map((patient) => [patient.id, patient]))
  for (let steps = 1; steps <= mergesMax; steps++) {
    const ids = [...new Set([...known.values()].map(survivorIdOf))].filter((id) => id !== undefined && !known.has(id))
    if (ids.length === 0) break
    const search = { _id: ids.join(','), _count: String(ids.length) }
    const further = await store.search<Patient>('Patient', search, signal === undefined ? {} : { signal })
    for (const id of ids) known.set(id, further.find((patient) => patient.id === id) ?? nobody)
  }
  const shown = found.map((patient) => lastOf(patient, known))
  return [...new Map(shown.map((patient) => [patient.id, patient])).values()]
}

/** Who stayed may have been merged away since, but not for ever. */
const mergesMax = 4

/** Whom the reader may not see, or who is not there. */
const nobody: Patient = { resourceType: 'Patient' }

/** Where the way leads to nobody, the record that was found is shown after all. */
function lastOf(patient: Patient, known: ReadonlyMap<string | undefined, Patient>): Patient {
  let last = patient
  for (let steps = 0; steps <= mergesMax; steps++) {
    const id = survivorIdOf(last)
    if (id === undefined) return last
    const next = known.get(id) ?? nobody
    if (next === nobody) return patient
    last = next
  }
  return patient
}

const survivorIdOf = (patient: Patient): string | undefined => linkedPatientId(patient, 'replaced-by')
