import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { ShippedConcept } from '../content.ts'
import { turned } from '../memory-source.ts'
import type { Concept, Mapping, MappingQuery } from '../source.ts'

export interface ConceptRow {
  readonly code: string
  readonly display: string | null
  /** One or several, as parentCell writes them. */
  readonly parent: string | null
}

export const conceptOf = ({ code, display, parent }: ConceptRow): Concept => ({
  code,
  display: display ?? undefined,
  parents: parent === null ? [] : parent.split(parentSeparator),
})

/** The parents of a concept in one column. No code of R4 has a line end in it. */
export const parentCell = ([, , ...parents]: ShippedConcept): string | null =>
  parents.length === 0 ? null : parents.join(parentSeparator)

const parentSeparator = '\n'

export type FactsRow<Facts> = Omit<Facts, 'version'> & { readonly version: string | null }

/** What is null in the database is not there in JSON. */
export const factsOf = <Row extends { readonly version: string | null }>(row: Row | undefined) =>
  row === undefined ? undefined : { ...row, version: row.version ?? undefined }

/** Where mappings lie, and which of them count. */
interface MappingTable {
  /** The column of the map's address, and the tables; the mappings are `m`. */
  readonly map: Statement
  readonly from: Statement
  readonly where: Statement
}

/** The mappings of a code, from the source of the maps to their target or the other way. */
export async function mappingsOf(
  { system, code, targetSystem, isReverse = false }: MappingQuery,
  { map, from, where }: MappingTable,
  database: Queryable,
): Promise<Mapping[]> {
  const [own, other] = isReverse ? [target, source] : [source, target]
  const display = isReverse ? sql`null` : sql`m.target_display`
  const into = targetSystem === undefined ? sql`true` : sql`${other.system} = ${targetSystem}`
  const rows = await database.many<MappingRow>(sql`
    select ${map} as map, ${other.system} as system, ${other.code} as code, ${display} as display, m.equivalence
    from ${from} where ${own.system} = ${system} and ${own.code} = ${code} and ${into} and ${where}`)
  return rows.map((row) => ({
    ...row,
    display: row.display ?? undefined,
    equivalence: isReverse ? (turned[row.equivalence] ?? row.equivalence) : row.equivalence,
  }))
}

const source = { system: sql`m.source_system`, code: sql`m.source_code` }
const target = { system: sql`m.target_system`, code: sql`m.target_code` }

type MappingRow = Omit<Mapping, 'display'> & { readonly display: string | null }
