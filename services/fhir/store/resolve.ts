import type { Queryable } from '../../../packages/sql/queryable.ts'
import { kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { AccessConditions } from '../scopes/access.ts'
import type { MatchedVersion, SearchEngine } from '../search/engine.ts'
import { isUnrestricted } from './access-condition.ts'
import type { Criteria, Identifier } from './criteria.ts'
import { identifierColumns } from './identified.ts'
import type { Key } from './keys.ts'

export interface Question {
  readonly criteria: Criteria
  readonly access: AccessConditions
}

/** It is found without the search engine, many at once: one identifier, by who may see whatever has it. */
export const isByKey = ({ criteria: { type, identifier }, access }: Question): boolean =>
  identifier !== undefined && isUnrestricted(access, type, 's')

/** What each question's criteria find, at most so many: two tell who needs to know no more than "several". */
export async function identifiedBy(
  questions: readonly Question[],
  limit: number,
  engine: Pick<SearchEngine, 'matches'>,
  on: Queryable,
): Promise<MatchedVersion[][]> {
  const found: MatchedVersion[][] = questions.map(() => [])
  const plain: { at: number; type: string; identifier: Identifier }[] = []
  for (const [at, question] of questions.entries()) {
    const { criteria, access } = question
    const { type, query, identifier } = criteria
    if (identifier !== undefined && isByKey(question)) plain.push({ at, type, identifier })
    else found[at] = await engine.matches({ type, query, access, limit }, on)
  }
  if (plain.length === 0) return found
  const { params, codes, systems } = identifierColumns(plain.map(({ type, identifier }) => ({ type, ...identifier })))
  const rows = await on.many<MatchedVersion & { at: number }>(sql`
    select asked.at, r.key, r.id, r.version
    from unnest(
      ${plain.map(({ at }) => at)}::integer[], ${params}::integer[], ${codes}::text[], ${systems}::bigint[]
    ) as asked (at, param, code, system)
    cross join lateral (
      select distinct t.key from fhir.tokens as t
      where t.param = asked.param and t.code = asked.code and (asked.system is null or t.system = asked.system)
      order by t.key limit ${limit}
    ) as one
    join fhir.resources as r on r.key = one.key and not r.deleted`)
  for (const { at, ...match } of rows) found[at]?.push(match)
  return found
}

/**
 * Holds the criteria until the transaction ends: of many that find nothing one creates, and the others find it. A row
 * that this transaction has inserted makes others wait for its end also when it has deleted it again, so nothing is left
 * behind.
 */
export function claimStatements(claims: readonly Key[], now: Date): Statement[] {
  const sorted = [...new Set(claims)].map(BigInt).sort((some, other) => (some < other ? -1 : 1))
  return [
    kept(
      'fhir_claim',
      sql`
      insert into fhir.claims (claim, claimed_at)
      select claim, ${now}::timestamptz from unnest(${sorted}::bigint[]) as c (claim)
      on conflict (claim) do update set claimed_at = excluded.claimed_at`,
    ),
    kept('fhir_unclaim', sql`delete from fhir.claims where claim = any (${sorted}::bigint[])`),
  ]
}
