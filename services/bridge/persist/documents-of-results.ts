import type { DocumentReference, FhirResource, Observation } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { referenceTo, type Stored, type StoredResource } from './stored.ts'

/**
 * A file is the value of its result (OBX of type ED), and a document of its own. The message that gives the result another
 * value, or takes it back, need not name the file: the document is found by what the store has of the result.
 */
export async function withDocuments(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const ended = writes.flatMap((write) => endedBy(write, stored))
  if (ended.length === 0) return { writes, stored }
  const found = await Promise.all(ended.map((one) => readDocument(one, signal, deps)))
  const documents = found.filter((one) => one !== undefined)
  return withBrought(writes, stored, documents)
}

interface Ended {
  readonly id: string
  readonly status: 'superseded' | 'entered-in-error'
  /** The write of the result. */
  readonly by: Write
}

function endedBy(by: Write, stored: Stored): Ended[] {
  const { resource, fullUrl, mode, broughtBy, deletes } = by
  // One that only comes along, with a visit that moves, has the value that it had; not so with a report that is cancelled.
  const hasOther = broughtBy === undefined || deletes.includes('derivedFrom')
  const isTold = resource.resourceType === 'Observation' && mode !== 'ensure' && hasOther
  const before = isTold ? stored.get(fullUrl) : undefined
  // Sound: what was found for a write is of its type.
  const { derivedFrom = [] } = (before ?? {}) as Partial<Observation>
  if (derivedFrom.length === 0) return []
  const said = new Set(namedBy(resource as Observation, stored))
  const status = 'status' in resource && resource.status === 'entered-in-error' ? resource.status : 'superseded'
  return derivedFrom.flatMap(({ reference = '' }) => {
    const [type, id] = reference.split('/')
    return type !== 'DocumentReference' || id === undefined || said.has(reference) ? [] : [{ id, status, by }]
  })
}

/** The documents of which the message speaks itself, as `Type/id` where they are stored. */
function namedBy({ derivedFrom = [] }: Observation, stored: Stored): string[] {
  return derivedFrom.flatMap(({ reference = '' }) => {
    const there = stored.get(reference)
    return there === undefined ? [] : [referenceTo(there)]
  })
}

async function readDocument(
  { id, status, by }: Ended,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<Brought | undefined> {
  const document = await breakers.call(
    'fhir-server',
    () => store.read<DocumentReference & StoredResource>('DocumentReference', id, { signal }),
    signal,
  )
  if (document?.status !== 'current') return undefined
  // Sound: a part of a document, which is merged into the whole.
  const resource = { resourceType: 'DocumentReference', status } as FhirResource
  return { resource: document, write: { ...bare, fullUrl: urlOf(id), resource, broughtBy: by.broughtBy ?? by.fullUrl } }
}

const urlOf = (id: string): string => `urn:uuid:${nameUuid(`DocumentReference/${id}`)}`

const bare = {
  mode: 'amend',
  key: { parameter: 'identifier', system: '', value: '' },
  ...{ defaults: {}, deletes: [], removes: [] },
} as const
