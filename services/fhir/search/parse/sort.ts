import type { ParameterType } from '../../../../packages/fhir/compiled.ts'
import type { SortKey } from '../ast.ts'
import type { ParseContext } from './parse-context.ts'
import { refuse } from './refuse.ts'

const keysMax = 5

/** What has an order: a composite or a special parameter has none. */
const sortable: ReadonlySet<ParameterType> = new Set([
  'number',
  'date',
  'string',
  'token',
  'reference',
  'quantity',
  'uri',
])

/**
 * `_sort=-date,name`: each key breaks the ties of those before it. Every searched type must have it.
 *
 * @param earlier the keys that another `_sort` of the same search has.
 */
export function parseSort(
  value: string,
  types: readonly string[],
  earlier: readonly SortKey[],
  { definitions }: ParseContext,
): SortKey[] {
  const words = value.split(',').map((word) => word.trim())
  if (earlier.length + words.length > keysMax)
    throw refuse('_sort', `has more than ${keysMax} keys; that is the limit.`)
  return words.map((word) => {
    const descending = word.startsWith('-')
    const code = descending ? word.slice(1) : word
    const [parameter, ...others] = types.map((type) => definitions.parameter(type, code))
    if (parameter === undefined || others.some((other) => other?.type !== parameter.type)) {
      throw refuse('_sort', 'names a parameter that the searched type does not have.')
    }
    if (!sortable.has(parameter.type) || (parameter.branches ?? parameter.special) === undefined) {
      throw refuse('_sort', `cannot sort by ${code}, which has no order.`)
    }
    return { code, parameter, descending }
  })
}
