import type { Include, Search, Shape, SortKey } from '../ast.ts'
import { parseInclude } from './include.ts'
import type { ParseContext } from './parse-context.ts'
import { oneOf, refuse } from './refuse.ts'
import { parseSort } from './sort.ts'

/** What a query says about the answer rather than about what is sought. */
interface ResultParameters {
  includes: Include[]
  sort: SortKey[]
  count: number
  total: Search['total']
  shape: Shape
  cursor: string | undefined
}

export const emptyResultParameters = ({ limits }: ParseContext): ResultParameters => ({
  includes: [],
  sort: [],
  count: limits.countDefault,
  total: 'none',
  shape: { kind: 'whole' },
  cursor: undefined,
})

/** Reads one into the collection; false if the name is not one of them. */
export function readResultParameter(
  name: string,
  value: string,
  types: readonly string[],
  into: ResultParameters,
  context: ParseContext,
): boolean {
  const [code = ''] = name.split(':')
  if (code === '_include' || code === '_revinclude') {
    if (into.includes.length >= includesMax)
      throw refuse(name, `occurs more than ${includesMax} times; that is the limit.`)
    into.includes.push(parseInclude(name, value, context))
    return true
  }
  switch (name) {
    case '_sort':
      into.sort.push(...parseSort(value, types, into.sort, context))
      return true
    case '_count':
      into.count = parseCount(value, context)
      return true
    case '_total':
      if (value !== 'none' && value !== 'estimate' && value !== 'accurate') {
        throw refuse(name, 'must be none, estimate or accurate.')
      }
      into.total = value
      return true
    case '_summary':
    case '_elements':
      into.shape = parseShape(name, value)
      return true
    case cursorName:
      into.cursor = value
      return true
    // Read by the HTTP layer before the search is.
    case '_format':
    case '_pretty':
      return true
    default:
      return false
  }
}

/** What they come to, whatever their order: R4 has `_count=0` mean the same as `_summary=count`. */
export const asRead = (read: ResultParameters): ResultParameters =>
  read.count === 0 ? { ...read, shape: { kind: 'count' } } : read

/** How much of each resource is wanted. */
export const parseShape = (name: '_summary' | '_elements', value: string): Shape =>
  name === '_summary' ? parseSummary(value) : { kind: 'elements', names: parseElements(value) }

/** The parameter of our own in paging links. */
export const cursorName = '_cursor'

const includesMax = 32
const summaries = ['true', 'text', 'data', 'count', 'false'] as const

function parseCount(value: string, { limits }: ParseContext): number {
  if (!/^\d{1,9}$/.test(value)) throw refuse('_count', 'must be a whole number of at least 0.')
  return Math.min(Number(value), limits.countMax)
}

function parseSummary(value: string): Shape {
  switch (value) {
    case 'true':
    case 'text':
    case 'data':
      return { kind: 'summary', of: value }
    case 'count':
      return { kind: 'count' }
    case 'false':
      return { kind: 'whole' }
    default:
      throw refuse('_summary', `must be ${oneOf(summaries)}.`)
  }
}

/** `Patient.name` and `name` mean the same; deeper paths keep the whole element that they lead into. */
function parseElements(value: string): string[] {
  return value.split(',').map((word) => {
    const parts = word.trim().split('.')
    const [first = '', second] = parts
    const name = /^[A-Z]/.test(first) && second !== undefined ? second : first
    if (!/^[a-z][A-Za-z]*$/.test(name)) throw refuse('_elements', 'needs names of elements, such as name,birthDate.')
    return name
  })
}
