import type { Queryable } from '../../../../packages/sql/queryable.ts'
import type { Found } from './found.ts'
import { pageOf, readRows, type FoundPage, type FoundRow, type PageRequest } from './page.ts'

/**
 * Reads one page of what several branches find one after the other, each in the order of its keys. The value of a row is
 * the turn of its branch, so that the cursor says in which one to go on.
 *
 * @param parts the statements of each branch; none for one whose types the caller may not search.
 */
export async function readInTurn(
  parts: readonly (readonly Found[])[],
  { count, bytesMax, position }: Omit<PageRequest, 'sort'>,
  on: Queryable,
): Promise<FoundPage> {
  const backwards = position?.backwards === true
  const start = Number(position?.values[0] ?? 0)
  const turns = [...parts.entries()].filter(([turn]) => (backwards ? turn <= start : turn >= start))
  const rows: FoundRow[] = []
  let isCut = false
  for (const [turn, found] of backwards ? turns.toReversed() : turns) {
    const limit = count + 1 - rows.length
    if (found.length === 0 || limit === 0 || isCut) continue
    const at = turn === start ? position : undefined
    const more = await readRows(found, { sort: [], limit, bytesMax, position: at, backwards }, on)
    rows.push(...more.rows.map((row) => ({ ...row, values: [String(turn)] })))
    isCut = more.isCut
  }
  return pageOf(rows, { count, backwards, isCut })
}
