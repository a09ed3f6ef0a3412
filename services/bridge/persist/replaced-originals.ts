import type { DocumentReference, FhirResource, Identifier } from '../../../packages/fhir/r4.ts'
import type { Write } from '../mapping/mapped.ts'
import { patientOf } from '../mapping/patient-of.ts'
import { type Brought, withBrought, type WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { identifiersOf } from './identifiers-of.ts'
import { brings } from './of-visit.ts'
import { isReplaced } from './replaced-documents.ts'
import type { Stored, StoredResource } from './stored.ts'

/**
 * A replacement that is withdrawn (T11) replaces nothing: the document that it had replaced is the current one again, unless
 * another has replaced it as well, or its sender has said of itself that it is obsolete (TXA-19). Told again, the replacement
 * takes its place again. The message names neither.
 */
export async function withReplacedOriginals(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const changed = writes.flatMap((write) => changedBy(write, stored))
  if (changed.length === 0) return { writes, stored }
  const sought = changed.flatMap(({ originals, marks }) => [...originals, ...marks])
  const answers = await deps.breakers.call(
    'fhir-server',
    () => deps.store.findByIdentifiers<StoredResource>(sought, { signal }),
    signal,
  )
  let next = 0
  const brought = changed.flatMap((one) => {
    const found = one.originals.flatMap(() => answers[next++] ?? [])
    const replacements = one.marks.flatMap(() => answers[next++] ?? []).filter(({ id }) => id !== one.before.id)
    return found.flatMap((original) => broughtTo(original, replacements, one))
  })
  const told = new Set([...stored.values()].map(({ resourceType, id }) => `${resourceType}/${id}`))
  return withBrought(
    writes,
    stored,
    brought.filter(({ resource }) => !told.has(`DocumentReference/${resource.id}`)),
  )
}

interface Changed {
  readonly write: Write
  readonly before: DocumentReference & StoredResource
  readonly isWithdrawn: boolean
  /** What it had replaced, and by what all that replaces that is found. */
  readonly originals: readonly Sought[]
  readonly marks: readonly Sought[]
}

interface Sought {
  readonly type: string
  readonly system: string
  readonly value: string
}

function changedBy(write: Write, stored: Stored): Changed[] {
  const before = stored.get(write.fullUrl)
  if (write.resource.resourceType !== 'DocumentReference' || before?.resourceType !== 'DocumentReference') return []
  const isWithdrawn = statusOf(write.resource) === 'entered-in-error'
  // One that was replaced in its turn is in nobody's place.
  const isChanged = isWithdrawn ? before.status === 'current' : before.status === 'entered-in-error'
  if (!isChanged || (!isWithdrawn && write.mode !== 'upsert')) return []
  const replaced = (before.relatesTo ?? []).filter(({ code }) => code === 'replaces')
  const originals = replaced.flatMap(({ target }) => soughtBy(target.identifier))
  const marks = identifiersOf(before).flatMap((one) => (one.system?.endsWith('/replacement') ? soughtBy(one) : []))
  return originals.length === 0 ? [] : [{ write, before, isWithdrawn, originals, marks }]
}

/** A message need not say it: the default does. */
const statusOf = (resource: FhirResource): string | undefined =>
  resource.resourceType === 'DocumentReference' ? resource.status : undefined

const soughtBy = ({ system, value }: Identifier = {}): Sought[] =>
  system === undefined || value === undefined ? [] : [{ type: 'DocumentReference', system, value }]

function broughtTo(
  original: StoredResource,
  replacements: readonly StoredResource[],
  { write, before, isWithdrawn }: Changed,
): Brought[] {
  if (original.resourceType !== 'DocumentReference' || original.id === before.id) return []
  if (patientOf(original)?.reference !== patientOf(before)?.reference) return []
  const [from, status] = isWithdrawn ? (['superseded', 'current'] as const) : (['current', 'superseded'] as const)
  if (original.status !== from) return []
  if (isWithdrawn && (isObsolete(original) || isReplaced(original, original, replacements))) return []
  const { write: brought, resource } = brings(original, { status }, write)
  return [{ resource, write: { ...brought, isTold: true } }]
}

const isObsolete = ({ extension = [] }: DocumentReference): boolean =>
  extension.some(({ url, valueCoding }) => url.endsWith('/document-availability') && valueCoding?.code === 'OB')
