import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import type { ShippedValueSet } from '../content.ts'
import { turned } from '../memory-source.ts'
import type { CodeSystemFacts, Concept, Mapping, MappingQuery, TerminologySource } from '../source.ts'

/** What an operator loaded. */
export function loadedTerminology(database: Queryable): TerminologySource {
  const codeSystem = (url: string) =>
    database.maybe<CodeSystemFacts>(sql`
      select url, name, version, complete as "isComplete" from fhir.terminology_resources
      where url = ${url} and type = 'CodeSystem'`)
  return {
    codeSystem,
    async concept(system, code) {
      const row = await database.maybe<ConceptRow>(sql`
        select code, display, parent from fhir.terminology_concepts where system = ${system} and code = ${code}`)
      return row === undefined ? undefined : conceptOf(row)
    },
    async displays(system, codes) {
      const rows = await database.many<{ code: string; display: string }>(sql`
        select code, display from fhir.terminology_concepts
        where system = ${system} and code = any (${codes}::text[]) and display is not null`)
      return new Map(rows.map(({ code, display }) => [code, display]))
    },
    async concepts(system) {
      if ((await codeSystem(system)) === undefined) return undefined
      const rows = await database.many<ConceptRow>(sql`
        select code, display, parent from fhir.terminology_concepts where system = ${system} order by seq, code`)
      return rows.map(conceptOf)
    },
    async valueSet(url) {
      const row = await database.maybe<{ content: string }>(sql`
        select content from fhir.terminology_resources where url = ${url} and type = 'ValueSet'`)
      // Sound: the loader wrote it in this shape.
      return row === undefined ? undefined : (JSON.parse(row.content) as ShippedValueSet)
    },
    mappings: (wanted) => (wanted.isReverse === true ? mappingsTo(wanted, database) : mappingsFrom(wanted, database)),
  }
}

interface ConceptRow {
  readonly code: string
  readonly display: string | null
  readonly parent: string | null
}

const conceptOf = ({ code, display, parent }: ConceptRow): Concept => ({
  code,
  display: display ?? undefined,
  parent: parent ?? undefined,
})

type MappingRow = Omit<Mapping, 'display'> & { readonly display: string | null }

async function mappingsFrom({ system, code, map, targetSystem }: MappingQuery, on: Queryable): Promise<Mapping[]> {
  const rows = await on.many<MappingRow>(sql`
    select map, target_system as system, target_code as code, target_display as display, equivalence
    from fhir.terminology_mappings
    where source_system = ${system} and source_code = ${code}
      and (${map ?? null}::text is null or map = ${map ?? null})
      and (${targetSystem ?? null}::text is null or target_system = ${targetSystem ?? null})`)
  return rows.map((row) => ({ ...row, display: row.display ?? undefined }))
}

async function mappingsTo({ system, code, map, targetSystem }: MappingQuery, on: Queryable): Promise<Mapping[]> {
  const rows = await on.many<Omit<Mapping, 'display'>>(sql`
    select map, source_system as system, source_code as code, equivalence from fhir.terminology_mappings
    where target_system = ${system} and target_code = ${code}
      and (${map ?? null}::text is null or map = ${map ?? null})
      and (${targetSystem ?? null}::text is null or source_system = ${targetSystem ?? null})`)
  return rows.map((row) => ({
    ...row,
    display: undefined,
    equivalence: turned[row.equivalence] ?? row.equivalence,
  }))
}
