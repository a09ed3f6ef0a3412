import { joined, kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Writing } from './decide.ts'
import { insertionOf, updateOf } from './heads.ts'
import { indexKinds, type IndexKind } from './index-kinds.ts'
import { indexAddition, indexRemoval, type KeyedRow } from './index-tables.ts'
import type { Key } from './keys.ts'
import { versionsOf } from './version-rows.ts'

/**
 * Everything that the writings come to, in one statement: each part is a CTE. Parts that have nothing to do are left out,
 * and the name says which are there. `isInserted` tells whose row in `resources` is written already.
 */
export function writeStatement(writings: readonly Writing[], isInserted: (writing: Writing) => boolean): Statement {
  const isNew = ({ before }: Writing) => before === undefined
  const fresh = writings.filter((one) => isNew(one) && !isInserted(one)).map(({ head }) => head)
  const changed = writings.filter((one) => !isNew(one)).map(({ head }) => head)
  const parts: Part[] = [
    { letter: 'v', cte: sql`new_versions as (${versionsOf(writings.map(({ version }) => version))})` },
  ]
  if (fresh.length > 0) parts.push({ letter: 'n', cte: sql`new_heads as (${insertionOf(fresh)})` })
  if (changed.length > 0) parts.push({ letter: 'u', cte: sql`changed_heads as (${updateOf(changed)})` })
  for (const [position, kind] of indexKinds.entries()) parts.push(...indexParts(kind, position, writings))
  const name = `fhir_write_${parts.map(({ letter }) => letter).join('')}`
  return kept(
    name,
    sql`with ${joined(
      parts.map(({ cte }) => cte),
      ', ',
    )} select`,
  )
}

interface Part {
  readonly letter: string
  readonly cte: Statement
}

/** Only the kinds whose rows are not the same as before: they are half of what a write costs. */
function indexParts(kind: IndexKind, position: number, writings: readonly Writing[]): Part[] {
  const changed = writings.filter(({ before, head }) => hashAt(before, position) !== hashAt(head, position))
  const stale = changed.filter(({ before }) => hashAt(before, position) !== none).map(({ head }) => head.key)
  const rows = changed.flatMap((writing) => rowsOf(writing, kind))
  const { gone, added } = names[kind]
  const parts: Part[] = []
  if (stale.length > 0) parts.push({ letter: `d${position}`, cte: sql`${gone} as (${indexRemoval(kind, stale)})` })
  if (rows.length > 0) {
    // The parts of a statement have no order but what they need of each other: old rows go before new ones come.
    const after = stale.length > 0 ? sql` where (select count(*) from ${gone}) >= 0` : sql``
    parts.push({ letter: `i${position}`, cte: sql`${added} as (${indexAddition(kind, rows)}${after})` })
  }
  return parts
}

const names: Readonly<Record<IndexKind, { readonly gone: Statement; readonly added: Statement }>> = {
  tokens: { gone: sql`old_tokens`, added: sql`new_tokens` },
  strings: { gone: sql`old_strings`, added: sql`new_strings` },
  dates: { gone: sql`old_dates`, added: sql`new_dates` },
  reference_values: { gone: sql`old_references`, added: sql`new_references` },
  quantities: { gone: sql`old_quantities`, added: sql`new_quantities` },
  uris: { gone: sql`old_uris`, added: sql`new_uris` },
  composites: { gone: sql`old_composites`, added: sql`new_composites` },
  compartments: { gone: sql`old_compartments`, added: sql`new_compartments` },
}

const none: Key = '0'
const hashAt = (head: Writing['before'], position: number): Key => head?.hashes[position] ?? none

const rowsOf = ({ head, index }: Writing, kind: IndexKind): KeyedRow[] =>
  index === undefined ? [] : index.rows[kind].map((cells) => ({ key: head.key, cells }))
