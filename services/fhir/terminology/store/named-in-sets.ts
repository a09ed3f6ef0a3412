import type { Queryable, Transaction } from '../../../../packages/sql/queryable.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import type { ShippedCodeSystem } from '../content.ts'
import type { CodeSystems } from '../source.ts'

/** What the value sets that an operator loaded call their codes. Each of them is a part of its code system at best. */
export function namedInSets(database: Queryable): CodeSystems {
  return {
    async codeSystem(url) {
      const row = await database.maybe(sql`select from fhir.terminology_set_codes where system = ${url} limit 1`)
      return row === undefined ? undefined : { url, name: url, version: undefined, isComplete: false }
    },
    async concept(system, code) {
      const row = await database.maybe<NamedCode>(sql`
        select code, display from fhir.terminology_set_codes where system = ${system} and code = ${code}
        order by value_set limit 1`)
      return row === undefined ? undefined : conceptOf(row)
    },
    async displays(system, codes) {
      const rows = await database.many<NamedCode>(sql`
        select distinct on (code) code, display from fhir.terminology_set_codes
        where system = ${system} and code = any (${codes}::text[]) order by code, value_set`)
      return new Map(rows.map(({ code, display }) => [code, display]))
    },
    async concepts(system) {
      const rows = await database.many<NamedCode>(sql`
        select distinct on (code) code, display from fhir.terminology_set_codes
        where system = ${system} order by code, value_set`)
      return rows.length === 0 ? undefined : rows.map(conceptOf)
    },
  }
}

interface NamedCode {
  readonly code: string
  readonly display: string
}

const conceptOf = ({ code, display }: NamedCode) => ({ code, display, parents: [] })

/** In the place of what the value set named before. */
export async function saveNamedCodes(
  valueSet: string,
  systems: readonly ShippedCodeSystem[],
  tx: Transaction,
): Promise<void> {
  await tx.run(sql`delete from fhir.terminology_set_codes where value_set = ${valueSet}`)
  for (const { url, concepts } of systems) {
    const named = concepts.filter(([, display]) => typeof display === 'string')
    await tx.run(sql`
      insert into fhir.terminology_set_codes (system, code, value_set, display)
      select ${url}, n.code, ${valueSet}, n.display from unnest(
        ${named.map(([code]) => code)}::text[], ${named.map(([, display]) => display ?? null)}::text[]
      ) as n (code, display)
      on conflict do nothing`)
  }
}
