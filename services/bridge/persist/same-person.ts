import type { Patient } from '../../../packages/fhir/r4.ts'
import { goldenReference } from '../mapping/patient-links.ts'
import type { FindDeps } from './find-deps.ts'
import type { StoredResource } from './stored.ts'

/** Whether a record and another, named as `Patient/…`, are of one person. */
export type IsSamePerson = (record: StoredResource, other: string) => boolean

/**
 * A laboratory that has its own numbers of patients has its own records of them, and the golden record says that they are
 * those of the hospital.
 * @param others as `Patient/…`
 */
export async function samePerson(
  others: ReadonlySet<string>,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<IsSamePerson> {
  const ids = [...others].slice(0, othersMax).map((one) => one.replace('Patient/', ''))
  const asked = { _id: ids.join(','), _count: String(ids.length) }
  const found = await breakers.call(
    'fhir-server',
    () => store.search<Patient & { readonly id: string }>('Patient', asked, { signal }),
    signal,
  )
  const people = new Map(found.map((one) => [`Patient/${one.id}`, personOf(one)]))
  return (record, other) => people.get(other) === personOf(record)
}

/** More than a message has to do with: it is asked in one address. Whoever is not asked for is somebody else. */
const othersMax = 100

/** Who has no golden record may be one. */
const personOf = (record: StoredResource): string => goldenReference(record) ?? `Patient/${record.id}`
