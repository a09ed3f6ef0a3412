import type { Definitions } from '../../../packages/fhir/definitions.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import type { Include } from './ast.ts'
import type { SearchLimits } from './parse/parse-context.ts'
import { targetTypesOf } from './parse/target-types.ts'
import { readIncluded, type Following, type IncludedRow } from './sql/included.ts'
import type { SqlContext } from './sql/sql-context.ts'
import { parameterKey, type Key } from '../store/keys.ts'

export interface Included {
  readonly rows: readonly IncludedRow[]
  /** Why there are not more: they would be too many or too large, or lie further away than is followed. */
  readonly cut: 'size' | 'distance' | undefined
}

type Start = Pick<IncludedRow, 'key' | 'type'>

/** What `_include` and `_revinclude` add to the matches of a page, none of them twice. */
export async function readIncludes(
  matches: readonly Start[],
  includes: readonly Include[],
  /** Types that may be added. */
  types: ReadonlySet<string>,
  context: SqlContext,
  limits: SearchLimits,
  on: Queryable,
): Promise<Included> {
  const seen = new Set<Key>(matches.map(({ key }) => key))
  const rows: IncludedRow[] = []
  let bytesMax = limits.pageBytesMax
  let frontier = matches
  let followed = includes
  for (let round = 1; followed.length > 0 && frontier.length > 0; round++) {
    const fresh: IncludedRow[] = []
    for (const following of followingsOf(followed, frontier, types, context.definitions)) {
      // One more than may be added, beside those that may be there already: then it is known whether it was cut.
      const limit = limits.includedMax + seen.size + 1
      const included = await readIncluded({ ...following, limit, bytesMax }, context, on)
      for (const row of included.rows) {
        if (seen.has(row.key)) continue
        // One round more than is given tells whether there is anything.
        if (round > limits.iterationsMax) return { rows, cut: 'distance' }
        if (rows.length + fresh.length === limits.includedMax) return { rows: [...rows, ...fresh], cut: 'size' }
        seen.add(row.key)
        fresh.push(row)
        bytesMax -= row.content.length
      }
      if (included.isCut || bytesMax <= 0) return { rows: [...rows, ...fresh], cut: 'size' }
    }
    rows.push(...fresh)
    frontier = fresh
    followed = includes.filter(({ iterate }) => iterate)
  }
  return { rows, cut: undefined }
}

type Step = Omit<Following, 'limit' | 'bytesMax'>

/** One statement a direction and type of target, however many includes there are. */
function followingsOf(
  includes: readonly Include[],
  frontier: readonly Start[],
  allowed: ReadonlySet<string>,
  definitions: Definitions,
): Step[] {
  const groups = new Map<string, { include: Include; params: Map<string, Set<number>>; types: Set<string> }>()
  for (const include of includes) {
    const key = `${include.direction} ${include.target ?? ''}`
    const group = groups.get(key) ?? { include, params: new Map(), types: new Set() }
    groups.set(key, group)
    for (const [type, params] of paramsOf(include, frontier, definitions)) {
      group.params.set(type, (group.params.get(type) ?? new Set()).union(new Set(params)))
    }
    for (const type of arrivalTypes(include, allowed)) group.types.add(type)
  }
  return [...groups.values()].map(({ include: { direction, target }, params, types }) => ({
    direction,
    keys: frontier
      .filter(({ type }) => direction === 'forward' || target === undefined || type === target)
      .map(({ key }) => key),
    params,
    types,
  }))
}

function arrivalTypes({ direction, source, target }: Include, allowed: ReadonlySet<string>): Iterable<string> {
  const only = direction === 'forward' ? target : source
  return only === undefined ? allowed : [only]
}

/** By the type that refers. */
function paramsOf(include: Include, frontier: readonly Start[], definitions: Definitions): [string, number[]][] {
  const { direction, source, parameter } = include
  if (source !== undefined && parameter !== undefined) return [[source, [parameterKey(source, parameter)]]]
  const reached = new Set(frontier.map(({ type }) => type))
  const sources = source === undefined ? (direction === 'forward' ? reached : definitions.resourceTypes) : [source]
  return [...sources].map((type) => {
    const followed = [...definitions.parametersOf(type).values()]
      .filter((each) => each.type === 'reference')
      .filter((each) => direction === 'forward' || mayReach(targetTypesOf(each), reached))
    return [type, followed.map(({ code }) => parameterKey(type, code))]
  })
}

const mayReach = (targets: readonly string[], reached: ReadonlySet<string>) =>
  targets.length === 0 || targets.some((type) => reached.has(type))
