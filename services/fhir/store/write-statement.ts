import { joined, kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Writing } from './change-under-way.ts'
import { insertionOf, updateOf } from './heads.ts'
import { indexKinds, type IndexKind } from './index-kinds.ts'
import { additionPart, differencePart, removalPart, type KeyedRow } from './index-tables.ts'
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
  if (stale.length === 0) return rows.length === 0 ? [] : [{ letter: `i${position}`, cte: additionPart(kind, rows) }]
  if (rows.length === 0) return [{ letter: `d${position}`, cte: removalPart(kind, stale) }]
  return [{ letter: `c${position}`, cte: differencePart(kind, rows, stale) }]
}

const none: Key = '0'
const hashAt = (head: Writing['before'], position: number): Key => head?.hashes[position] ?? none

const rowsOf = ({ head, index }: Writing, kind: IndexKind): KeyedRow[] =>
  index === undefined ? [] : index.rows[kind].map((cells) => ({ key: head.key, cells }))
