import type { Patient } from '../../../packages/fhir/r4.ts'
import { goldenReference } from '../mapping/patient-links.ts'
import type { FindDeps } from './find-deps.ts'
import type { StoredResource } from './stored.ts'

export interface Others {
  /** Whether a record and another, named as `Patient/…`, are of one person. */
  readonly isSamePerson: (record: StoredResource, other: string) => boolean
  /** Whether it is known to have none of these numbers, nor to have taken the place of one that may have them. */
  readonly hasNoneOf: (other: string, numbers: readonly string[]) => boolean
}

/**
 * A laboratory that has its own numbers of patients has its own records of them, and the golden record says that they are
 * those of the hospital.
 * @param others as `Patient/…`
 */
export async function readOthers(
  others: ReadonlySet<string>,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<Others> {
  const ids = [...others].slice(0, othersMax).map((one) => one.replace('Patient/', ''))
  const asked = { _id: ids.join(','), _count: String(ids.length) }
  const found = await breakers.call(
    'fhir-server',
    () => store.search<Patient & { readonly id: string }>('Patient', asked, { signal }),
    signal,
  )
  const records = new Map(found.map((one) => [`Patient/${one.id}`, one]))
  return {
    isSamePerson: (record, other) => {
      const there = records.get(other)
      return there !== undefined && personOf(there) === personOf(record)
    },
    hasNoneOf: (other, numbers) => {
      const { identifier = [], link = [] } = records.get(other) ?? {}
      const mayHave = identifier.length === 0 || link.some(({ type }) => type === 'replaces')
      return !mayHave && !identifier.some(({ value }) => value !== undefined && numbers.includes(value))
    },
  }
}

/** More than a message has to do with: it is asked in one address. Whoever is not asked for is somebody else. */
const othersMax = 100

/** Who has no golden record may be one. */
const personOf = (record: StoredResource): string => goldenReference(record) ?? `Patient/${record.id}`
