import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { SortKey } from '../ast.ts'
import type { PagePosition } from '../cursor.ts'
import type { Groups } from './groups.ts'
import {
  pageOf,
  readRows,
  type FoundPage,
  type FoundRow,
  type PageRequest,
  type ReadRows,
  type RowsRequest,
} from './page.ts'
import type { Walk } from './walk.ts'

/**
 * A page off an index. What leaves few is not walked to: it is sorted. Else the first rows are looked at, and if they are
 * not enough for a page (what is sought is old, or of the end of the alphabet) what is left is sorted, unless it is very
 * much. Undefined where it is to be sorted.
 */
export async function readAlong(
  walk: Walk,
  request: Omit<PageRequest, 'sort'>,
  on: Queryable,
): Promise<FoundPage | undefined> {
  if (!(await leavesMore(walk, few, on))) return undefined
  const isForwards = isForward(request.position)
  const grouped = isForwards ? await readGroups(walk, request, on) : undefined
  if (grouped !== undefined) return grouped
  const near = isForwards ? walk.among : undefined
  if (near !== undefined) {
    const page = await readNear(near, walk, request, on)
    if (page !== undefined) return page
    if (!(await leavesMore(walk, several, on))) return undefined
  }
  return walk.goesOn ? readWalk(walk, request, on) : undefined
}

/** Among those that have a value to sort by, or at their beginning. */
const isForward = (position: PagePosition | undefined): boolean =>
  position === undefined || (!position.backwards && position.values[0] !== null)

/** Sorted in a few milliseconds, and in a tenth of a second. */
const [few, several] = [1_000, 5_000]

/** Each condition for itself leaves more than that. */
async function leavesMore({ leaves }: Pick<Walk, 'leaves'>, size: number, on: Queryable): Promise<boolean> {
  for (const keys of leaves) {
    const rows = await on.many(sql`select 1 from (${keys}) x offset ${size} limit 1`)
    if (rows.length === 0) return false
  }
  return true
}

/** Read in the time in which a few are sorted; where nothing is asked, nearly all of the first belong to the page. */
const nearMin = 2_000
const nearestMin = 100

const firstSize = ({ leaves }: Pick<Walk, 'leaves'>, count: number): number =>
  Math.max(leaves.length === 0 ? nearestMin : nearMin, 4 * count)

/** The page, if the first rows of the index hold it and one more. */
async function readNear(
  among: NonNullable<Walk['among']>,
  { sort, leaves }: Walk,
  { count, bytesMax, position }: Omit<PageRequest, 'sort'>,
  on: Queryable,
): Promise<FoundPage | undefined> {
  const found = among(firstSize({ leaves }, count), position)
  const { rows, isCut } = await readRows(
    [{ rows: found }],
    { sort, limit: count + 1, bytesMax, position, backwards: false },
    on,
  )
  return isCut || rows.length > count ? pageOf(rows, { count, backwards: false, isCut }) : undefined
}

/** Part by part: those with a value to sort by stand before those without. */
async function readWalk(
  { withValue, withoutValue, sort }: Walk,
  { count, bytesMax, position }: Omit<PageRequest, 'sort'>,
  on: Queryable,
): Promise<FoundPage> {
  const backwards = position?.backwards === true
  const isAmongValued = position !== undefined && position.values[0] !== null
  const rows: FoundRow[] = []
  let isCut = false
  const read = async (found: Statement, keys: readonly SortKey[], at: PagePosition | undefined) => {
    const limit = count + 1 - rows.length
    if (limit <= 0 || isCut) return
    const more = await readRows([{ rows: found }], { sort: keys, limit, bytesMax, position: at, backwards }, on)
    rows.push(...more.rows)
    isCut = more.isCut
  }
  const unvalued = sort.map(({ isPresent: _present, ...key }) => key)
  if (backwards) {
    if (!isAmongValued) await read(withoutValue, unvalued, position)
    for (const part of withValue.toReversed()) await read(part, sort, isAmongValued ? position : undefined)
  } else {
    if (position === undefined || isAmongValued) for (const part of withValue) await read(part, sort, position)
    await read(withoutValue, unvalued, isAmongValued ? undefined : position)
  }
  return pageOf(rows, { count, backwards, isCut })
}

/** So many codes are gone through for a page: where each is that of a few, the first rows of all of them are read at once. */
const groupsMax = 10

/**
 * Group by group, where a search sorts by a code and then by a date. Undefined where a page needs more groups than that,
 * or what stands behind all of them.
 */
async function readGroups(
  { groups, sort, leaves }: Walk,
  { count, bytesMax, position }: Omit<PageRequest, 'sort'>,
  on: Queryable,
): Promise<FoundPage | undefined> {
  if (groups === undefined || !(await leavesMore({ leaves }, several, on))) return undefined
  const codeBehind = async (code?: string) => (await on.maybe<{ code: string }>(groups.next(code)))?.code
  const rows: FoundRow[] = []
  let bytesLeft = bytesMax
  let at = position
  let code = position?.values[0] ?? (await codeBehind())
  for (let taken = 0; code !== undefined && taken < groupsMax; taken++) {
    const request = { sort, limit: count + 1 - rows.length, bytesMax: bytesLeft, position: at, backwards: false }
    const { rows: more, isCut } = await readGroup(groups, code, firstSize({ leaves }, count), request, on)
    rows.push(...more)
    if (isCut || rows.length > count) return pageOf(rows, { count, backwards: false, isCut })
    // One more, in any case, tells whether there is any.
    bytesLeft = Math.max(1, bytesLeft - bytesOf(more))
    at = undefined
    code = await codeBehind(code)
  }
  return undefined
}

const bytesOf = (rows: readonly FoundRow[]): number =>
  rows.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)

/** As long as it takes to sort a group of some ten thousand. */
const walkedMax = 32_000

/** Along the dates while those of the group are not too far from each other; else, and where they have none, by sorting it. */
async function readGroup(
  groups: Groups,
  code: string,
  size: number,
  request: RowsRequest,
  on: Queryable,
): Promise<ReadRows> {
  const isAmongDated = request.position?.values[1] !== null
  const dated = isAmongDated ? await readDated(groups, code, size, request, on) : undefined
  return dated ?? readRows([{ rows: groups.whole(code) }], request, on)
}

async function readDated(
  groups: Groups,
  code: string,
  size: number,
  request: RowsRequest,
  on: Queryable,
): Promise<ReadRows | undefined> {
  for (let first = size; first <= walkedMax; first *= 4) {
    const found = await readRows([{ rows: groups.along(code, first, request.position) }], request, on)
    if (found.isCut || found.rows.length === request.limit) return found
    // What can be sorted as quickly is not looked for any further.
    if (first === size && (await on.many(groups.isLarger(code, several))).length === 0) return undefined
  }
  return undefined
}
