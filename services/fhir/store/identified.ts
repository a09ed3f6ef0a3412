import type { Queryable } from '../../../packages/sql/queryable.ts'
import { kept, sql } from '../../../packages/sql/sql.ts'
import type { Identifier } from './criteria.ts'
import { wholeText } from './indexed-text.ts'
import { parameterKey, systemKey, type Key } from './keys.ts'

/** Resources of a type that have an identifier. */
export interface SoughtIdentifier extends Identifier {
  readonly type: string
}

interface Identified {
  /** Which of the identifiers it has. */
  readonly at: number
  readonly type: string
  readonly id: string
  readonly content: string
}

/**
 * What has each of the identifiers, in their order, in one statement. For callers who may see them all. What has index
 * rows is there, and its newest version is the current one.
 */
export async function readIdentified(
  sought: readonly SoughtIdentifier[],
  perIdentifierMax: number,
  on: Queryable,
): Promise<Identified[]> {
  if (sought.length === 0) return []
  const { params, codes, systems } = identifierColumns(sought)
  return on.many<Identified>(
    // One look-up each, whatever they are: nothing for a planner to choose, and planning cost more than the look-ups.
    kept(
      'fhir_identified',
      sql`
    select asked.at::integer - 1 as at, newest.type, newest.id, newest.content
    from unnest(${params}::integer[], ${codes}::text[], ${systems}::bigint[])
      with ordinality as asked (param, code, system, at)
    cross join lateral (
      select distinct t.key from fhir.tokens as t
      where t.param = asked.param and t.code = asked.code and (asked.system is null or t.system = asked.system)
      order by t.key limit ${perIdentifierMax}
    ) as found
    cross join lateral (
      select v.type, v.id, v.content from fhir.versions as v
      where v.key = found.key order by v.version desc limit 1
    ) as newest
    order by asked.at, found.key`,
    ),
  )
}

/** What identifiers are compared by in `fhir.tokens`, one array a column; null for whatever system. */
export function identifierColumns(sought: readonly SoughtIdentifier[]) {
  return {
    params: sought.map(({ type, parameter = 'identifier' }) => parameterKey(type, parameter)),
    codes: sought.map(({ value }) => wholeText(value)),
    systems: sought.map(systemOf),
  }
}

const systemOf = ({ system }: Identifier): Key | null =>
  system === undefined ? null : systemKey(system === '' ? undefined : system)
