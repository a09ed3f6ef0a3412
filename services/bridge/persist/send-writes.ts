import { bug, faultOf } from '../../../packages/faults/fault.ts'
import type { Bundle, BundleEntry, FhirResource } from '../../../packages/fhir/r4.ts'
import type { FhirStore } from '../../../ports/fhir-store/fhir-store.ts'
import { conditionalUrl, keyToken } from '../mapping/transaction.ts'
import { settled } from '../mapping/merge.ts'
import type { StoredResource } from './stored.ts'
import type { Plan, PlannedWrite } from './plan-writes.ts'
import type { WrittenResource } from './written-resource.ts'

export interface SendDeps {
  readonly store: FhirStore
  /**
   * Corridor's own store takes a message as one transaction. Of others only a conditional update of the Patient is
   * asked for first, as the specification has it, then a transaction of the rest, or one update each.
   */
  readonly isOwnStore: boolean
}

/** What a written resource became, by its `fullUrl`. */
export type Written = ReadonlyMap<string, WrittenResource>

export async function sendWrites(plan: Plan, signal: AbortSignal, deps: SendDeps): Promise<Written> {
  const { store, isOwnStore } = deps
  const { writes } = plan
  if (isOwnStore) return sendTogether(writes, ownEntryOf, signal, store)
  const { transaction } = await store.capabilities({ signal })
  const isFirst = ({ resource }: PlannedWrite) => !transaction || resource.resourceType === 'Patient'
  const done = await sendEach(writes.filter(isFirst), signal, store)
  const rest = writes.filter((write) => !isFirst(write))
  if (rest.length === 0) return done
  const references = new Map([...done].map(([fullUrl, { reference }]) => [fullUrl, reference]))
  const others = rest.map((write) => ({ ...write, resource: pointing(write.resource, references) }))
  return new Map([...done, ...(await sendTogether(others, entryOf, signal, store))])
}

async function sendTogether(
  writes: readonly PlannedWrite[],
  entryOfWrite: (write: PlannedWrite) => BundleEntry,
  signal: AbortSignal,
  store: FhirStore,
): Promise<Written> {
  const bundle: Bundle = { resourceType: 'Bundle', type: 'transaction', entry: writes.map(entryOfWrite) }
  const answer = await store.transaction(bundle, { signal })
  return new Map(writes.map((write, at) => [write.fullUrl, writtenIn(write, answer.entry?.[at])]))
}

/**
 * Our store takes ids that a client gives: what is found by a tag alone (Provenance) gets the UUID of its key, which is
 * the same on every run, and needs no search. Only writes that name ids and identifiers are committed with others'.
 */
function ownEntryOf(write: PlannedWrite): BundleEntry {
  const { fullUrl, key, resource, stored } = write
  if (stored !== undefined || key.parameter !== '_tag') return entryOf(write)
  const id = fullUrl.replace('urn:uuid:', '')
  // Sound: the resource with an id.
  const whole = { ...resource, id } as FhirResource
  return { fullUrl, resource: whole, request: { method: 'PUT', url: `${resource.resourceType}/${id}` } }
}

/** What nobody had stored when it was looked for may be there by now, and a bare conditional update would replace it. */
function entryOf(write: PlannedWrite): BundleEntry {
  const { fullUrl, key, resource, stored } = write
  if (stored !== undefined) return replacing(write, stored)
  const url = conditionalUrl(resource.resourceType, key)
  return { fullUrl, resource, request: { method: 'PUT', url, ...(mustBeNew(key) ? { ifNoneMatch: '*' } : {}) } }
}

/** What is found by a tag is the message's own (Provenance): whoever is there is the same. */
const mustBeNew = ({ parameter }: PlannedWrite['key']): boolean => parameter !== '_tag'

function replacing({ fullUrl, resource }: PlannedWrite, stored: StoredResource): BundleEntry {
  const { resourceType } = resource
  const { id, meta } = stored
  const ifMatch = meta?.versionId === undefined ? {} : { ifMatch: `W/"${meta.versionId}"` }
  // Sound: the resource with the id of its kind.
  const whole = { ...resource, id } as FhirResource
  return { fullUrl, resource: whole, request: { method: 'PUT', url: `${resourceType}/${id}`, ...ifMatch } }
}

function writtenIn({ resource: { resourceType } }: PlannedWrite, entry: BundleEntry | undefined): WrittenResource {
  const { location = '', status = '', etag } = entry?.response ?? {}
  const [, id, versionId] = new RegExp(`${resourceType}/([^/]+)(?:/_history/([^/]+))?$`).exec(location) ?? []
  const given = id ?? entry?.resource?.id
  if (given === undefined) throw bug('the store did not say where it put a resource of a transaction')
  const version = versionId ?? /"(.*)"/.exec(etag ?? '')?.[1]
  return {
    reference: `${resourceType}/${given}`,
    type: resourceType,
    ...(version === undefined ? {} : { versionId: version }),
    operation: status.startsWith('201') ? 'create' : 'update',
  }
}

/** One conditional update after the other, each with the references that the earlier ones gave. */
async function sendEach(writes: readonly PlannedWrite[], signal: AbortSignal, store: FhirStore): Promise<Written> {
  const done = new Map<string, WrittenResource>()
  const references = new Map<string, string>()
  for (const write of writes) {
    const { fullUrl, resource } = write
    const { resource: written, outcome } = await sendOne(write, pointing(resource, references), signal, store)
    const reference = `${resource.resourceType}/${written.id}`
    const versionId = written.meta?.versionId
    references.set(fullUrl, reference)
    done.set(fullUrl, {
      ...{ reference, type: resource.resourceType },
      ...(versionId === undefined ? {} : { versionId }),
      operation: outcome === 'created' ? 'create' : 'update',
    })
  }
  return done
}

async function sendOne({ key, stored }: PlannedWrite, body: FhirResource, signal: AbortSignal, store: FhirStore) {
  const criteria = { [key.parameter]: keyToken(key) }
  if (stored === undefined && mustBeNew(key)) return store.updateMatching(body, criteria, { signal, mustBeNew: true })
  const version = stored?.meta?.versionId
  const options = { signal, ...(version === undefined ? {} : { version }) }
  if (stored === undefined) return store.updateMatching(body, criteria, options)
  const update = () => store.update({ ...body, id: stored.id }, options)
  if (!hasKey(stored, key)) return update()
  try {
    return await store.updateMatching(body, criteria, options)
  } catch (thrown) {
    // Others have the number, too, and this one was meant.
    if (faultOf(thrown).code !== 'MULTIPLE_MATCHES') throw thrown
    return update()
  }
}

/** A record that was followed to the one that stayed does not have the message's identifier. */
function hasKey(stored: FhirResource, { system, value }: PlannedWrite['key']): boolean {
  const identifiers: unknown = 'identifier' in stored ? stored.identifier : []
  const list = Array.isArray(identifiers) ? (identifiers as { system?: string; value?: string }[]) : []
  return list.some((one) => one.system === system && one.value === value)
}

// Sound: only references change, into references.
const pointing = (resource: FhirResource, references: ReadonlyMap<string, string>): FhirResource =>
  references.size === 0 ? resource : (settled(resource, references) as FhirResource)
