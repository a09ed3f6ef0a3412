import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import { canonicalOf } from '../canonical.ts'
import type { ShippedValueSet } from '../content.ts'
import type { CodeSystemFacts, ConceptMapFacts, TerminologySource } from '../source.ts'
import { conceptOf, factsOf, mappingsOf, type ConceptRow, type FactsRow } from './terminology-rows.ts'
import { whyNotRecorded } from './why-not.ts'

/** What was written to the record. Of several with one address, the one that was written last. */
export function recordedTerminology(database: Queryable): TerminologySource {
  return {
    async codeSystem(url) {
      return factsOf(
        await database.maybe<FactsRow<CodeSystemFacts>>(sql`
          select url, name, version, complete as "isComplete" from fhir.recorded_terminology
          where part = ${standing('CodeSystem', url)}`),
      )
    },
    async concept(system, code) {
      const row = await database.maybe<ConceptRow>(sql`
        select code, display, parent from fhir.recorded_concepts
        where part = ${standing('CodeSystem', system)} and code = ${code}`)
      return row === undefined ? undefined : conceptOf(row)
    },
    async displays(system, codes) {
      const rows = await database.many<{ code: string; display: string }>(sql`
        select code, display from fhir.recorded_concepts
        where part = ${standing('CodeSystem', system)} and code = any (${codes}::text[]) and display is not null`)
      return new Map(rows.map(({ code, display }) => [code, display]))
    },
    async concepts(system) {
      const { part } = await database.one<{ part: string | null }>(
        sql`select ${standing('CodeSystem', system)} as part`,
      )
      if (part === null) return undefined
      const rows = await database.many<ConceptRow>(sql`
        select code, display, parent from fhir.recorded_concepts where part = ${part}::bigint order by seq, code`)
      return rows.map(conceptOf)
    },
    async valueSet(url) {
      const row = await database.maybe<{ content: string }>(sql`
        select content from fhir.recorded_terminology where part = ${standing('ValueSet', url)}`)
      // Sound: it was written in this shape.
      return row === undefined ? undefined : (JSON.parse(row.content) as ShippedValueSet)
    },
    async conceptMap(url) {
      return factsOf(
        await database.maybe<FactsRow<ConceptMapFacts>>(sql`
          select url, version from fhir.recorded_terminology where part = ${standing('ConceptMap', url)}`),
      )
    },
    whyNot: (type, canonical) => whyNotRecorded(type, canonical, database),
    mappings: (wanted) =>
      mappingsOf(wanted, { map: sql`r.url`, from: recordedMappings, where: isStanding(wanted.map) }, database),
  }
}

function standing(type: string, canonical: string): Statement {
  const { url, version } = canonicalOf(canonical)
  return sql`(
    select part from fhir.recorded_terminology
    where url = ${url} and type = ${type} ${version === undefined ? sql`` : sql`and version = ${version}`}
    order by written_at desc, part desc limit 1)`
}

const recordedMappings = sql`fhir.recorded_mappings as m join fhir.recorded_terminology as r on r.part = m.part`

const isStanding = (map: string | undefined): Statement =>
  map === undefined
    ? sql`m.part = (
        select o.part from fhir.recorded_terminology as o where o.url = r.url and o.type = 'ConceptMap'
        order by o.written_at desc, o.part desc limit 1)`
    : sql`m.part = ${standing('ConceptMap', map)}`
