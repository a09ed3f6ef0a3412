import { conflict } from '../../../packages/faults/fault.ts'
import type { FhirResource, Patient } from '../../../packages/fhir/r4.ts'
import type { FhirStore, SoughtIdentifier } from '../../../ports/fhir-store/fhir-store.ts'
import { mergeTrail } from '../../../ports/patient-index/merge-trail.ts'
import type { Breakers } from '../breakers/breakers.ts'
import type { Write } from '../mapping/mapped.ts'
import { survivorReference } from '../mapping/patient-links.ts'

/** What the store has, by the `fullUrl` of the write that it was found for. */
export interface Stored extends ReadonlyMap<string, StoredResource> {
  /** The records that were merged away, where the one that stayed was found in their place. */
  readonly replaced?: ReadonlyMap<string, StoredResource>
}

export type StoredResource = FhirResource & { readonly id: string }

export interface FindDeps {
  readonly store: FhirStore
  readonly breakers: Pick<Breakers, 'call'>
}

/** Finds what the writes are about in one round trip (and one more, where somebody was merged away). */
export async function findStored(writes: readonly Write[], signal: AbortSignal, deps: FindDeps): Promise<Stored> {
  const { store, breakers } = deps
  const byIdentifier = writes.filter(({ key }) => key.parameter === 'identifier')
  // A question writes nothing: nobody is asked, so it neither waits for the store nor says that the store is well.
  if (byIdentifier.length === 0) return new Followed()
  const found = await breakers.call(
    'fhir-server',
    () => store.findByIdentifiers<StoredResource>(byIdentifier.map(soughtBy), { signal }),
    signal,
  )
  const entries = byIdentifier.flatMap((write, at) => {
    const meant = meantOf(found[at] ?? [])
    return meant === undefined ? [] : [[write, meant] as const]
  })
  const followed = new Followed()
  await Promise.all(
    entries.map(async ([write, one]) => {
      const survivor = await followMerge(write, one, signal, deps)
      followed.set(write.fullUrl, survivor)
      if (survivor !== one) followed.replaced.set(write.fullUrl, one)
    }),
  )
  return followed
}

class Followed extends Map<string, StoredResource> implements Stored {
  readonly replaced = new Map<string, StoredResource>()
}

const soughtBy = ({ resource, key }: Write): SoughtIdentifier => ({
  type: resource.resourceType,
  system: key.system,
  value: key.value,
})

/**
 * Several have the identifier: the one that is in use, and of those the one that was not replaced. Where that leaves two,
 * nobody but a person can say whose data this is.
 */
function meantOf(found: readonly StoredResource[]): StoredResource | undefined {
  const standing = found.filter((one) => !isReplaced(one))
  const inUse = standing.filter(isActive)
  if (inUse.length > 1) throw conflict('Several resources have this identifier.', { code: 'MULTIPLE_MATCHES' })
  return inUse[0] ?? standing[0] ?? found[0]
}

/** Whoever writes to somebody who was merged away means the record that stayed, unless it is the merge itself. */
async function followMerge(
  { resource }: Write,
  one: StoredResource,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<StoredResource> {
  if (survivorReference(resource) !== undefined || !isPatient(one)) return one
  const { survivors, end } = await mergeTrail(one, (id) =>
    breakers.call('fhir-server', () => store.read<StoredPatient>('Patient', id, { signal }), signal),
  )
  return end === 'circle' ? one : (survivors.at(-1) ?? one)
}

type StoredPatient = Patient & { readonly id: string }

const isPatient = (one: StoredResource): one is StoredPatient => one.resourceType === 'Patient'

const isReplaced = (resource: FhirResource): boolean => survivorReference(resource) !== undefined

const isActive = (resource: FhirResource): boolean => !('active' in resource) || resource.active !== false
