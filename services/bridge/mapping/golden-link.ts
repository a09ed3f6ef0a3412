import type { Patient } from '../../../packages/fhir/r4.ts'
import { isAmong } from './distinct-identifiers.ts'
import type { Key, Write } from './mapped.ts'
import { wholeResource } from './merge.ts'
import { survivorReference } from './patient-links.ts'

/** Whether the index says which golden record a record has. One that is merged away or only amended keeps its own. */
export const isLinkedByIndex = ({ mode, resource }: Write): boolean =>
  mode !== 'amend' && survivorReference(resource) === undefined

/**
 * The records as the index is asked whose they are. A number that leaves another record of the message (A43) says nothing
 * of that: until it has arrived, the index knows it as a number of the other.
 * @param taken by `fullUrl`: further numbers that are those of another record
 */
export function recordsForIndex(
  asked: readonly Write[],
  writes: readonly Write[],
  taken?: TakenNumbers,
): readonly Patient[] {
  const leaving = writes.flatMap(({ removes }) => removes.filter(({ element }) => element === 'identifier'))
  const isLeaving = isAmong(leaving.map(({ where }) => where))
  return asked.map((write) => {
    const record = wholeResource(write) as Patient
    const others = taken?.get(write.fullUrl) ?? []
    if (leaving.length + others.length === 0) return record
    const isOfOther = isAmong(others)
    const identifier = record.identifier?.filter((one) => !isLeaving(one) && !isOfOther(one)) ?? []
    return identifier.length === 0 ? record : { ...record, identifier }
  })
}

type TakenNumbers = ReadonlyMap<string, readonly Key[]> | undefined

/** The writes with the links to the golden records that the index has named, by `fullUrl`. */
export const linkedByIndex = (
  writes: readonly Write[],
  goldenIdOf: (fullUrl: string) => string | undefined,
): readonly Write[] =>
  writes.map((write) => (isLinkedByIndex(write) ? withGoldenLink(write, goldenIdOf(write.fullUrl)) : write))

/** The write of a Patient with the link to its golden record. Of a patient who is only mentioned, the link is all that may change. */
export function withGoldenLink(write: Write, goldenId: string | undefined): Write {
  if (goldenId === undefined) return write
  // Sound: golden records are of Patients.
  const resource = write.resource as Patient
  const link = [...(resource.link ?? []), { type: 'refer' as const, other: { reference: `Patient/${goldenId}` } }]
  if (write.mode !== 'ensure') return { ...write, resource: { ...resource, link } }
  const defaults: Partial<Patient> = { ...(write.defaults as Partial<Patient>), ...resource }
  const mention = { resource: { resourceType: 'Patient', link }, defaults, deletes: [], removes: [] } as const
  return { ...write, mode: 'upsert', ...mention, isMention: true }
}

/** The write of a Patient that leaves its golden record as it is stored. */
export function withoutGoldenLink(write: Write): Write {
  // Sound: golden records are of Patients.
  const { link = [], ...resource } = write.resource as Patient
  const others = link.filter(({ type }) => type !== 'refer')
  return { ...write, resource: { ...resource, ...(others.length === 0 ? {} : { link: others }) } }
}
