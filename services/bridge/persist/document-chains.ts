import type { FhirResource, Identifier } from '../../../packages/fhir/r4.ts'
import { distinctIdentifiers } from '../mapping/distinct-identifiers.ts'
import { keyIdentifier } from '../mapping/keys.ts'
import type { Key, Write } from '../mapping/mapped.ts'
import { patientOf } from '../mapping/patient-of.ts'
import { isReplacementMark, markOfSameKind } from '../mapping/replacement-mark.ts'
import type { WrittenTo } from './brought.ts'
import type { FindDeps } from './find-deps.ts'
import { identifiersOf } from './identifiers-of.ts'
import { alsoStored, isDocument, referenceTo, type Stored, type StoredDocument, type StoredResource } from './stored.ts'

/**
 * Where one of several documents that replace one another is withdrawn, what holds is told by all of them (`replaced-documents.ts`),
 * however many the message names: by the numbers that they replace, and by the marks of what replaces them. Nobody is asked where
 * none is withdrawn.
 */
export async function withDocumentChains(
  writes: readonly Write[],
  stored: Stored,
  signal: AbortSignal,
  deps: FindDeps,
): Promise<WrittenTo> {
  const about = writes.filter(({ replacementKey }) => replacementKey !== undefined)
  const [mark] = about.flatMap(({ replacementKey }) => replacementKey ?? [])
  const known = [...about.flatMap(({ fullUrl }) => stored.get(fullUrl) ?? []), ...(stored.chain?.values() ?? [])]
  const isWithdrawn = [...about.map(({ resource }) => resource), ...known].some(isMistake)
  if (mark === undefined || !isWithdrawn) return { writes, stored }
  const owners = new Set(known.flatMap((one) => patientOf(one)?.reference ?? []))
  const chain = new Map<string, StoredDocument>(known.filter(isDocument).map((one) => [referenceTo(one), one]))
  const asked = new Set<string>()
  // What the message says for the first time is no part of what is stored.
  let next: readonly FhirResource[] = [...chain.values(), ...about.map(({ resource }) => resource)]
  for (let steps = 0; steps < stepsMax; steps++) {
    const sought = distinctIdentifiers(next.flatMap((one) => kinOf(one, mark))).filter((one) => !asked.has(nameOf(one)))
    if (sought.length === 0) break
    for (const one of sought) asked.add(nameOf(one))
    const found = await findDocuments(sought, signal, deps)
    const further = found.filter((one) => owners.has(patientOf(one)?.reference ?? '') && !chain.has(referenceTo(one)))
    for (const one of further) chain.set(referenceTo(one), one)
    next = further
  }
  return { writes, stored: alsoStored(stored, Object.assign(new Map<string, StoredResource>(), { chain })) }
}

/** More than the versions of a document that replace one another. */
const stepsMax = 50

const isMistake = (one: FhirResource): boolean => 'status' in one && one.status === 'entered-in-error'

const nameOf = ({ system, value }: Identifier): string => `${system}|${value}`

/** By what those are found that it replaces, and those that replace it. */
function kinOf(one: FhirResource, mark: Key): Identifier[] {
  if (one.resourceType !== 'DocumentReference') return []
  const numbers = identifiersOf(one).filter((number) => !isReplacementMark(number))
  const replaced = (one.relatesTo ?? []).flatMap(({ code, target }) =>
    code === 'replaces' && target.identifier !== undefined ? [target.identifier] : [],
  )
  return [...replaced, ...numbers.map((number) => keyIdentifier(markOfSameKind(mark, number)))]
}

async function findDocuments(
  sought: readonly Identifier[],
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<StoredDocument[]> {
  const asked = sought.flatMap(({ system, value }) =>
    system === undefined || value === undefined ? [] : [{ type: 'DocumentReference', system, value }],
  )
  const find = () => store.findByIdentifiers<StoredResource>(asked, { signal })
  return (await breakers.call('fhir-server', find, signal)).flat().filter(isDocument)
}
