import type { Transaction } from '../../../packages/sql/queryable.ts'
import { kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { MatchedVersion } from '../search/engine.ts'
import type { Head } from './heads.ts'
import { identifierColumns, type SoughtIdentifier } from './identified.ts'
import type { Key } from './keys.ts'
import { claimStatements, isByKey, type Question } from './resolve.ts'
import type { WriteDeps } from './write-deps.ts'

export interface Wanted {
  readonly questions: readonly Question[]
  /** Resources that are known, to be locked with the others. */
  readonly keys?: readonly Key[]
  /** Held until the transaction ends, before anything is looked for. */
  readonly claims?: readonly Key[]
}

export interface LookedUp {
  /** What each question finds, at most two; `version` is the one that matched. */
  readonly found: readonly (readonly MatchedVersion[])[]
  /** What is there of all that was found or named, as it is now and stays until the transaction ends. */
  readonly heads: ReadonlyMap<Key, Head>
}

/**
 * Finds and locks, in one round trip where all questions are identifiers and the caller may see everything. Whatever
 * changed between the search and the lock shows in its version.
 */
export async function lookUp(
  { questions, keys = [], claims = [] }: Wanted,
  tx: Transaction,
  { engine, clock }: Pick<WriteDeps, 'engine' | 'clock'>,
): Promise<LookedUp> {
  const found: MatchedVersion[][] = questions.map(() => [])
  const plain: { readonly at: number; readonly sought: SoughtIdentifier }[] = []
  const searched: number[] = []
  for (const [at, question] of questions.entries()) {
    const { type, identifier } = question.criteria
    if (identifier !== undefined && isByKey(question)) plain.push({ at, sought: { type, ...identifier } })
    else searched.push(at)
  }
  let before: readonly Statement[] = claims.length === 0 ? [] : claimStatements(claims, clock.now())
  if (searched.length > 0) {
    await tx.together(before)
    before = []
    for (const at of searched) found[at] = await engine.matches({ ...searchOf(questions[at]), limit: 2 }, tx)
  }
  const locked = [...keys, ...found.flatMap((matches) => (matches.length === 1 ? matches : [])).map(({ key }) => key)]
  const isAsked = plain.length + locked.length > 0
  const sought = plain.map((one) => one.sought)
  const answers = await tx.together([...before, ...(isAsked ? [findAndLock(sought, locked)] : [])])
  const heads = new Map<Key, Head>()
  // Sound: it is what the statement selects.
  for (const { at, seenVersion, ...head } of (isAsked ? (answers.at(-1) ?? []) : []) as LockedRow[]) {
    heads.set(head.key, head)
    if (at !== null) found[plain[at]?.at ?? 0]?.push({ key: head.key, id: head.id, version: seenVersion })
  }
  return { found, heads }
}

function searchOf(question: Question | undefined): Pick<Question, 'access'> & { type: string; query: string } {
  if (question === undefined) throw new RangeError('no such question')
  const { criteria, access } = question
  return { type: criteria.type, query: criteria.query, access }
}

interface LockedRow extends Head {
  /** Which identifier found it; null for one that was named. */
  readonly at: number | null
  /** When the statement began; the other columns are as they were when the lock was granted. */
  readonly seenVersion: number
}

/** Locks in the order of keys, so that two writers cannot block each other. */
function findAndLock(sought: readonly SoughtIdentifier[], keys: readonly Key[]): Statement {
  const { params, codes, systems } = identifierColumns(sought)
  return kept(
    'fhir_find_and_lock',
    sql`
    select wanted.at, seen.version as "seenVersion", l.key, l.type, l.id, l.version,
      l.last_updated as "lastUpdated", l.deleted, l.index_hashes as hashes
    from (
      select asked.at::integer - 1 as at, one.key
      from unnest(${params}::integer[], ${codes}::text[], ${systems}::bigint[])
        with ordinality as asked (param, code, system, at)
      cross join lateral (
        select distinct t.key from fhir.tokens as t
        where t.param = asked.param and t.code = asked.code and (asked.system is null or t.system = asked.system)
        order by t.key limit 2
      ) as one
      union all
      select null, named.key from unnest(${keys}::bigint[]) as named (key)
    ) as wanted
    join fhir.resources as seen on seen.key = wanted.key
    join fhir.resources as l on l.key = wanted.key
    where wanted.at is null or not seen.deleted
    order by l.key for update of l`,
  )
}
