import type { Transaction } from '../../../../packages/sql/queryable.ts'
import { json, sql } from '../../../../packages/sql/sql.ts'
import type { ShippedCodeSystem, ShippedConcept, ShippedConceptMap, ShippedValueSet } from '../content.ts'
import { parentCell } from './terminology-rows.ts'

/**
 * A complete code system takes the place of what was loaded before; a part is added to it. A part does not rename the
 * whole, and a table, which has neither name nor version, takes neither away.
 */
export async function saveCodeSystem(system: ShippedCodeSystem, now: Date, tx: Transaction): Promise<void> {
  const isComplete = system.content !== 'fragment'
  if (isComplete) await tx.run(sql`delete from fhir.terminology_concepts where system = ${system.url}`)
  await tx.run(sql`
    insert into fhir.terminology_resources (url, type, name, version, complete, content, loaded_at)
    values (${system.url}, 'CodeSystem', ${system.name}, ${system.version ?? null}, ${isComplete}, null, ${now})
    on conflict (url, type) do update set
      name = case when excluded.complete then excluded.name
        when terminology_resources.complete or excluded.name = excluded.url then terminology_resources.name
        else excluded.name end,
      version = case when excluded.complete then excluded.version
        when terminology_resources.complete then terminology_resources.version
        else coalesce(excluded.version, terminology_resources.version) end,
      complete = excluded.complete or terminology_resources.complete, loaded_at = excluded.loaded_at`)
  for (let start = 0; start < system.concepts.length; start += batchSize) {
    await saveConcepts(system.url, start, system.concepts.slice(start, start + batchSize), tx)
  }
}

const batchSize = 5_000

async function saveConcepts(
  system: string,
  start: number,
  concepts: readonly ShippedConcept[],
  tx: Transaction,
): Promise<void> {
  // The last of two with the same code stands.
  const byCode = [...new Map(concepts.map((concept, at) => [concept[0], { concept, seq: start + at }])).values()]
  await tx.run(sql`
    insert into fhir.terminology_concepts (system, code, display, parent, seq)
    select ${system}, n.* from unnest(
      ${byCode.map(({ concept }) => concept[0])}::text[], ${byCode.map(({ concept }) => concept[1] ?? null)}::text[],
      ${byCode.map(({ concept }) => parentCell(concept))}::text[], ${byCode.map(({ seq }) => seq)}::integer[]
    ) as n (code, display, parent, seq)
    on conflict (system, code) do update set
      display = coalesce(excluded.display, terminology_concepts.display),
      parent = coalesce(excluded.parent, terminology_concepts.parent), seq = excluded.seq`)
}

export async function saveValueSet(valueSet: ShippedValueSet, now: Date, tx: Transaction): Promise<void> {
  await saveResource('ValueSet', valueSet, json(valueSet), now, tx)
}

export async function saveConceptMap(map: ShippedConceptMap, now: Date, tx: Transaction): Promise<void> {
  await saveResource('ConceptMap', map, null, now, tx)
  await tx.run(sql`delete from fhir.terminology_mappings where map = ${map.url}`)
  for (const { source, target, pairs } of map.groups) {
    await tx.run(sql`
      insert into fhir.terminology_mappings
        (map, source_system, source_code, target_system, target_code, equivalence, target_display)
      select ${map.url}, ${source}, n.source, ${target}, n.target, n.equivalence, n.display from unnest(
        ${pairs.map(([from]) => from)}::text[], ${pairs.map(([, to]) => to)}::text[],
        ${pairs.map(([, , equivalence]) => equivalence ?? 'equivalent')}::text[],
        ${pairs.map(([, , , display]) => display ?? null)}::text[]
      ) as n (source, target, equivalence, display)
      on conflict do nothing`)
  }
}

async function saveResource(
  type: 'ValueSet' | 'ConceptMap',
  { url, name, version }: { readonly url: string; readonly name: string; readonly version?: string },
  content: string | null,
  now: Date,
  tx: Transaction,
): Promise<void> {
  await tx.run(sql`
    insert into fhir.terminology_resources (url, type, name, version, complete, content, loaded_at)
    values (${url}, ${type}, ${name}, ${version ?? null}, true, ${content}, ${now})
    on conflict (url, type) do update set name = excluded.name, version = excluded.version,
      content = excluded.content, loaded_at = excluded.loaded_at`)
}
