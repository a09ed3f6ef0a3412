import type { Shape } from '../search/ast.ts'
import { parseShape } from '../search/parse/result-parameters.ts'

/** How much of a resource that is read the caller wants, as a search would understand it. */
export function shapeOf(query: URLSearchParams): Shape {
  let shape: Shape = { kind: 'whole' }
  for (const [name, value] of query) {
    if ((name === '_summary' || name === '_elements') && value !== '') shape = parseShape(name, value)
  }
  return shape
}
