import { faultOf } from '../../packages/faults/fault.ts'
import type { Organization, Patient, Practitioner } from '../../packages/fhir/r4.ts'
import { nameOf } from '../../packages/people/human-name.ts'
import { shownPatient, type ShownPatient } from '../../packages/people/shown-patient.ts'
import type { FhirStore } from './fhir-store.ts'
import { patientSearches } from './patient-searches.ts'
import { survivorsOf } from './survivors.ts'

interface Look {
  readonly store: FhirStore
  readonly now: Date
  readonly signal?: AbortSignal
}

const rowsMax = 20

export interface FoundPatients {
  readonly found: readonly ShownPatient[]
  /** Whether there are others whom the search finds as well. */
  readonly hasMore: boolean
}

/** Patients by name, or by identifier or day of birth where what was typed has a digit in it. */
export async function searchPatients(typed: string, { store, now, signal }: Look): Promise<FoundPatients> {
  const options = signal === undefined ? {} : { signal }
  const found = await Promise.all(
    patientSearches(typed).map((search) =>
      store.search<Patient>('Patient', { ...search, _sort: 'family', _count: String(rowsMax + 1) }, options),
    ),
  )
  const distinct = new Map(found.flat().map((patient) => [patient.id, patient]))
  const shown = await survivorsOf([...distinct.values()].slice(0, rowsMax), { store, ...options })
  return { found: shown.map((patient) => shownPatient(patient, now)), hasMore: distinct.size > rowsMax }
}

/** Those of these patients (`Patient/…`) whom the reader may see, by reference; two round trips at most. */
export async function patientsByReference(
  references: readonly string[],
  { store, now, signal }: Look,
): Promise<ReadonlyMap<string, ShownPatient>> {
  const ids = [...new Set(references)].map((reference) => reference.replace(/^Patient\//, ''))
  if (ids.length === 0) return new Map()
  const options = signal === undefined ? {} : { signal }
  const search = { _id: ids.join(','), _count: String(ids.length) }
  const found = await unlessForbidden(() => store.search<Patient>('Patient', search, options))
  return new Map(found.map((patient) => [`Patient/${patient.id ?? ''}`, shownPatient(patient, now)]))
}

/** The names of organisations and practitioners, by reference; what is not found keeps its reference for a name. */
export async function namesByReference(
  references: readonly (string | null | undefined)[],
  { store, signal }: Pick<Look, 'store' | 'signal'>,
): Promise<(reference: string | null | undefined) => string> {
  const wanted = [...new Set(references)].filter((reference) => typeof reference === 'string')
  const idsOf = (type: string) =>
    wanted.filter((reference) => reference.startsWith(`${type}/`)).map((reference) => reference.split('/')[1])
  const options = signal === undefined ? {} : { signal }
  const search = <T extends Organization | Practitioner>(type: T['resourceType']) => {
    const ids = idsOf(type)
    return ids.length === 0
      ? Promise.resolve([])
      : unlessForbidden(() => store.search<T>(type, { _id: ids.join(','), _count: String(ids.length) }, options))
  }
  const [organizations, practitioners] = await Promise.all([
    search<Organization>('Organization'),
    search<Practitioner>('Practitioner'),
  ])
  const names = new Map<string, string | undefined>([
    ...organizations.map(({ id, name }) => [`Organization/${id ?? ''}`, name] as const),
    ...practitioners.map(({ id, name }) => [`Practitioner/${id ?? ''}`, nameOf(name)] as const),
  ])
  return (reference) => names.get(reference ?? '') ?? byReference(reference)
}

/** What is not known by a name. */
export const byReference = (reference: string | null | undefined): string => reference ?? 'nobody'

/** Whoever may not read a type does without what it says; the page is still theirs to see. */
export async function unlessForbidden<T>(search: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await search()
  } catch (thrown) {
    const fault = faultOf(thrown)
    if (fault.kind === 'forbidden') return []
    throw fault
  }
}
