import type { Transaction } from '../../../../packages/sql/queryable.ts'
import { json, sql } from '../../../../packages/sql/sql.ts'
import type { ShippedCodeSystem, ShippedConceptMap, ShippedValueSet } from '../content.ts'
import { parentCell } from './terminology-rows.ts'

/** The resource of the record that brings it in. */
export interface RecordedAs {
  readonly type: string
  readonly id: string
  readonly now: Date
}

/** Takes out what a resource had brought in. */
export async function forgetRecorded(type: string, id: string, tx: Transaction): Promise<void> {
  await tx.run(sql`delete from fhir.recorded_terminology where type = ${type} and resource_id = ${id}`)
}

export async function recordCodeSystem(system: ShippedCodeSystem, as: RecordedAs, tx: Transaction): Promise<void> {
  const part = await recordPart({ ...system, isComplete: system.content !== 'fragment', content: null }, as, tx)
  // The last of two with the same code stands.
  const byCode = [...new Map(system.concepts.map((concept, seq) => [concept[0], { concept, seq }])).values()]
  await tx.run(sql`
    insert into fhir.recorded_concepts (part, code, display, parent, seq)
    select ${part}::bigint, n.* from unnest(
      ${byCode.map(({ concept }) => concept[0])}::text[], ${byCode.map(({ concept }) => concept[1] ?? null)}::text[],
      ${byCode.map(({ concept }) => parentCell(concept))}::text[], ${byCode.map(({ seq }) => seq)}::integer[]
    ) as n (code, display, parent, seq)`)
}

export async function recordValueSet(valueSet: ShippedValueSet, as: RecordedAs, tx: Transaction): Promise<void> {
  await recordPart({ ...valueSet, isComplete: true, content: json(valueSet) }, as, tx)
}

export async function recordConceptMap(map: ShippedConceptMap, as: RecordedAs, tx: Transaction): Promise<void> {
  const part = await recordPart({ ...map, isComplete: true, content: null }, as, tx)
  for (const { source, target, pairs } of map.groups) {
    await tx.run(sql`
      insert into fhir.recorded_mappings
        (part, source_system, source_code, target_system, target_code, equivalence, target_display)
      select ${part}::bigint, ${source}, n.source, ${target}, n.target, n.equivalence, n.display from unnest(
        ${pairs.map(([from]) => from)}::text[], ${pairs.map(([, to]) => to)}::text[],
        ${pairs.map(([, , equivalence]) => equivalence ?? 'equivalent')}::text[],
        ${pairs.map(([, , , display]) => display ?? null)}::text[]
      ) as n (source, target, equivalence, display)
      on conflict do nothing`)
  }
}

interface Part {
  readonly url: string
  readonly name: string
  readonly version?: string
  readonly isComplete: boolean
  readonly content: string | null
}

async function recordPart(
  { url, name, version, isComplete, content }: Part,
  { type, id, now }: RecordedAs,
  tx: Transaction,
): Promise<string> {
  const { part } = await tx.one<{ part: string }>(sql`
    insert into fhir.recorded_terminology (type, resource_id, url, version, name, complete, content, written_at)
    values (${type}, ${id}, ${url}, ${version ?? null}, ${name}, ${isComplete}, ${content}, ${now})
    returning part`)
  return part
}
