import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import { canonicalOf, isVersion } from '../canonical.ts'
import type { ShippedValueSet } from '../content.ts'
import type { CodeSystemFacts, ConceptMapFacts, TerminologySource } from '../source.ts'
import { conceptOf, factsOf, mappingsOf, type ConceptRow, type FactsRow } from './terminology-rows.ts'

/** What an operator loaded. */
export function loadedTerminology(database: Queryable): TerminologySource {
  const codeSystem = async (url: string) =>
    factsOf(
      await database.maybe<FactsRow<CodeSystemFacts>>(sql`
        select url, name, version, complete as "isComplete" from fhir.terminology_resources
        where url = ${url} and type = 'CodeSystem'`),
    )
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
    async valueSet(canonical) {
      const { url, version } = canonicalOf(canonical)
      const row = await database.maybe<{ content: string }>(sql`
        select content from fhir.terminology_resources where url = ${url} and type = 'ValueSet'`)
      // Sound: the loader wrote it in this shape.
      const found = row === undefined ? undefined : (JSON.parse(row.content) as ShippedValueSet)
      return isVersion(version, found?.version) ? found : undefined
    },
    async conceptMap(canonical) {
      const { url, version } = canonicalOf(canonical)
      const found = factsOf(
        await database.maybe<FactsRow<ConceptMapFacts>>(sql`
          select url, version from fhir.terminology_resources where url = ${url} and type = 'ConceptMap'`),
      )
      return isVersion(version, found?.version) ? found : undefined
    },
    mappings: (wanted) =>
      mappingsOf(
        wanted,
        { map: sql`m.map`, from: sql`fhir.terminology_mappings as m`, where: isOfMap(wanted.map) },
        database,
      ),
  }
}

function isOfMap(canonical: string | undefined): Statement {
  if (canonical === undefined) return sql`true`
  const { url, version } = canonicalOf(canonical)
  if (version === undefined) return sql`m.map = ${url}`
  return sql`m.map = ${url} and exists (
    select from fhir.terminology_resources where url = ${url} and type = 'ConceptMap' and version = ${version})`
}
