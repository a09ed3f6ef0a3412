import { conflict, incorrect, unprocessable } from '../../../../packages/faults/fault.ts'
import { parseReference } from '../../../../packages/fhir/reference.ts'
import type { Transaction } from '../../../../packages/sql/queryable.ts'
import type { AccessConditions } from '../../scopes/access.ts'
import { criteriaOf, type Criteria } from '../../store/criteria.ts'
import { identifiedBy, isByKey, type Question } from '../../store/resolve.ts'
import type { AnsweredPart } from '../answer.ts'
import type { InteractionDeps } from '../deps.ts'
import { requireCriteria } from '../changes.ts'
import { requireType } from '../require-right.ts'
import { atEntry } from './at-entry.ts'
import { identifiersInBundle } from './identifiers-in-bundle.ts'
import { inTurns } from './in-turns.ts'
import type { IdentifiedEntry } from './identify.ts'
import type { Relink } from './links.ts'

interface RelinkOptions {
  readonly access: AccessConditions
  readonly maySearch: boolean
  /** Told what criteria asked for, once it was looked for: whoever writes them learns whom they find, or that they do not. */
  readonly tell: (lookUps: readonly AnsweredPart[]) => void
}

/**
 * Lets the links of all entries lead to the resources of this server: those of the bundle, and those that criteria find.
 * Undefined where criteria have to be searched for and may not be.
 */
export async function relinkEntries(
  identified: readonly IdentifiedEntry[],
  { access, maySearch, tell }: RelinkOptions,
  tx: Transaction,
  deps: InteractionDeps,
): Promise<IdentifiedEntry[] | undefined> {
  const byFullUrl = new Map<string, string>()
  for (const { entry, id } of identified) {
    if (entry.fullUrl !== undefined && id !== undefined) byFullUrl.set(entry.fullUrl, `${entry.place.type}/${id}`)
  }
  const asked = new Map<string, ConditionalReference>()
  const relinked = await inTurns(identified, (one) => {
    const { fullUrl, index } = one.entry
    const base = fullUrl === undefined ? undefined : baseOf(fullUrl)
    return withLinks(one, deps, (text, kind) => {
      const inBundle = byFullUrl.get(text)
      if (inBundle !== undefined || kind !== 'reference') return inBundle
      const parsed = text.includes('?') ? parseReference(text) : undefined
      if (parsed?.kind === 'conditional') {
        if (asked.size === askedMax && !asked.has(text)) throw atEntry(tooMany(askedMax), index)
        if (!asked.has(text))
          asked.set(text, { question: { criteria: criteriaAt(parsed, index, deps), access }, index })
        return undefined
      }
      // The entries of a Bundle that is itself stored refer to each other.
      if (isOfBundle(text) && one.entry.place.type !== 'Bundle') throw atEntry(noEntry(), index)
      // R4 section 2.36.4: a relative reference means the entry whose fullUrl lies on the same base.
      return base === undefined ? undefined : byFullUrl.get(`${base}/${text}`)
    })
  })
  if (asked.size === 0) return relinked
  const searched = [...asked.values()].filter(({ question }) => !isByKey(question))
  if (!maySearch && (searched.length > 0 || asked.size > sharedMax)) return undefined
  const first = searched[searchedMax]
  if (first !== undefined) throw atEntry(tooMany(searchedMax), first.index)
  const found = await findConditional(asked, identified, tx, deps)
  tell([...found.values()].map(({ lookUp }) => lookUp))
  const references = new Map([...found].map(([text, one]) => [text, referenceOf(one)]))
  return inTurns(relinked, (one) =>
    withLinks(one, deps, (text, kind) => (kind === 'reference' ? references.get(text) : undefined)),
  )
}

/** These name an entry of the bundle and nothing else; kept as they are they would never lead anywhere. */
const isOfBundle = (text: string) => text.startsWith('urn:uuid:') || text.startsWith('urn:oid:')

function withLinks(one: IdentifiedEntry, { replaceLinks }: InteractionDeps, relink: Relink): IdentifiedEntry {
  const { entry, resource } = one
  if (typeof resource !== 'object' || resource === null || entry.method === 'PATCH') return one
  return { ...one, resource: replaceLinks(resource, relink) }
}

function baseOf(fullUrl: string): string | undefined {
  const parsed = parseReference(fullUrl)
  return parsed.kind === 'absolute' ? parsed.base : undefined
}

/** Conditional references of one bundle that differ. Each is looked for by itself. */
const askedMax = 5_000
/** Those of them that are not found by an identifier. */
const searchedMax = 500
/** As many as are looked for while others wait. */
const sharedMax = 500

const tooMany = (max: number) =>
  unprocessable('The bundle has too many different conditional references. Send it in parts.', {
    code: 'TOO_COSTLY',
    fields: [{ path: 'resource', message: `is one too many: ${max} conditional references that differ are the limit` }],
  })

interface ConditionalReference {
  readonly question: Question
  /** Of the first entry that has it. */
  readonly index: number
}

interface FoundReference {
  readonly type: string
  readonly ids: ReadonlySet<string>
  /** Of the first entry that has it. */
  readonly index: number
  readonly lookUp: AnsweredPart
}

function referenceOf({ type, ids, index }: FoundReference): string {
  const [id, second] = ids
  if (id === undefined) throw atEntry(noTarget(), index)
  if (second !== undefined) throw atEntry(manyTargets(), index)
  return `${type}/${id}`
}

/** What each `Patient?identifier=…` in a reference finds. */
async function findConditional(
  asked: ReadonlyMap<string, ConditionalReference>,
  identified: readonly IdentifiedEntry[],
  tx: Transaction,
  deps: InteractionDeps,
): Promise<ReadonlyMap<string, FoundReference>> {
  const inBundle = identifiersInBundle(identified)
  const settling = identified.filter(
    ({ entry: { method }, id }) => id !== undefined && (method === 'DELETE' || method === 'PUT'),
  )
  const isSettled = settledBy(settling)
  const questions = [...asked.values()].map(({ question }) => question)
  // Two tell that there are several, also where all that the bundle settles are found before them.
  const found = await identifiedBy(questions, 2 + settling.length, deps.engine, tx)
  return new Map(
    [...asked].map(([text, { question, index }], position) => {
      const { criteria } = question
      const { type, query } = criteria
      // The entries of the bundle count as if they were written already.
      const stored = (found[position] ?? []).map(({ id }) => id).filter((id) => !isSettled(criteria, id))
      const ids = new Set([...stored, ...inBundle(criteria)])
      // What the bundle writes itself is told of as written; of several, nobody is shown.
      const touched = ids.size === 1 ? stored.map((id) => ({ type, id })) : []
      return [text, { type, ids, index, lookUp: { interaction: 'search-type', question: `${type}?${query}`, touched } }]
    }),
  )
}

/** Whether what is stored under an id no longer counts: the bundle deletes it, or says itself which identifiers it has. */
function settledBy(settling: readonly IdentifiedEntry[]): (criteria: Criteria, id: string) => boolean {
  const methods = new Map(settling.map(({ entry, id }) => [`${entry.place.type}/${id}`, entry.method]))
  return ({ type, identifier }, id) => {
    const method = methods.get(`${type}/${id}`)
    return method === 'DELETE' || (method === 'PUT' && identifier !== undefined && identifier.parameter === undefined)
  }
}

function criteriaAt({ type, query }: { type: string; query: string }, index: number, deps: InteractionDeps): Criteria {
  try {
    requireType(type, deps.definitions)
    return criteriaOf(type, requireCriteria(query))
  } catch (thrown) {
    throw atEntry(thrown, index)
  }
}

const noEntry = () =>
  incorrect('A reference names an entry that is not in the bundle.', {
    code: 'UNRESOLVED_REFERENCE',
    fields: [{ path: 'resource', message: 'has a reference to a urn, and no entry of the bundle has this fullUrl' }],
  })

const noTarget = () =>
  incorrect('A conditional reference finds nothing.', {
    code: 'UNRESOLVED_REFERENCE',
    fields: [{ path: 'resource', message: 'has a conditional reference that no resource matches' }],
  })

const manyTargets = () =>
  conflict('A conditional reference finds more than one resource.', {
    code: 'MULTIPLE_MATCHES',
    fields: [{ path: 'resource', message: 'has a conditional reference that several resources match' }],
  })
