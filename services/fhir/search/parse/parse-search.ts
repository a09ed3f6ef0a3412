import type { Branch, Condition, Pair, Search, Warning } from '../ast.ts'
import { parseCondition, UnknownParameter } from './condition.ts'
import { Lookups } from './lookups.ts'
import type { ParseContext } from './parse-context.ts'
import { refuse } from './refuse.ts'
import { asRead, cursorName, emptyResultParameters, readResultParameter } from './result-parameters.ts'

interface ParseOptions {
  /** The type of the path; undefined for a search over types. */
  readonly type: string | undefined
  /** Unknown parameters are refused instead of left out with a warning. */
  readonly strict: boolean
}

/** Reads a query. Whatever is wrong with it is a fault that names the parameter. */
export function parseSearch(pairs: readonly Pair[], options: ParseOptions, context: ParseContext): Search {
  checkPairs(pairs, context)
  const types = searchedTypes(pairs, options.type, context)
  const result = emptyResultParameters(context)
  const sought: Pair[] = []
  const understood: Pair[] = []
  const warnings: Warning[] = []
  const lookups = new Lookups(context.limits)
  for (const pair of pairs) {
    const [name, value] = pair
    // An empty value is no condition at all: forms send their empty fields.
    if (value === '') continue
    try {
      if (name === '_type' && options.type === undefined) understood.push(pair)
      else if (readResultParameter(name, value, types, result, context)) {
        if (name !== cursorName) understood.push(pair)
      } else {
        conditionsByType(types, [pair], context, lookups)
        sought.push(pair)
        understood.push(pair)
      }
    } catch (thrown) {
      if (!(thrown instanceof UnknownParameter) || options.strict) throw thrown
      warnings.push({ parameter: name, message: `${thrown.shown} It was ignored.` })
    }
  }
  // Each was counted above; what means the same for all types is only written out here.
  const branches = conditionsByType(types, sought, context, new Lookups({ lookupsMax: Infinity, valuesMax: Infinity }))
  return { ...asRead(result), branches, warnings, understood }
}

/**
 * One branch a type, or one for all where every name means the same for each of them, which holds for the parameters
 * that begin with an underscore.
 */
function conditionsByType(
  types: readonly string[],
  pairs: readonly Pair[],
  context: ParseContext,
  lookups: Lookups,
): Branch[] {
  const isShared = pairs.every(([name]) => name.startsWith('_') && !name.startsWith('_has:'))
  const groups = isShared ? [types] : types.map((type) => [type])
  return groups.map((group) => ({
    types: group,
    conditions: pairs.map(([name, value]): Condition => parseCondition(group, name, value, context, lookups)),
  }))
}

function checkPairs(pairs: readonly Pair[], { limits }: ParseContext): void {
  if (pairs.length > limits.parametersMax) {
    throw refuse(pairs[limits.parametersMax]?.[0] ?? '', `is one too many; ${limits.parametersMax} are the limit.`)
  }
  for (const [name, value] of pairs) {
    // PostgreSQL has no text with it, and no resource can hold it.
    if (name.includes('\0') || value.includes('\0')) throw refuse(name, 'holds a NUL character.')
  }
}

function searchedTypes(pairs: readonly Pair[], type: string | undefined, { definitions }: ParseContext): string[] {
  if (type !== undefined) return [type]
  const named = pairs
    .filter(([name, value]) => name === '_type' && value !== '')
    .flatMap(([, value]) => value.split(','))
  const unknown = named.find((name) => !definitions.resourceTypes.has(name))
  if (unknown !== undefined) throw refuse('_type', 'names a resource type that does not exist.')
  return named.length === 0 ? [...definitions.resourceTypes] : [...new Set(named)]
}
