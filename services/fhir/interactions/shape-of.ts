import { incorrect } from '../../../packages/faults/fault.ts'
import type { Shape } from '../search/ast.ts'

/** How much of a resource that is read the caller wants. */
export function shapeOf(query: URLSearchParams): Shape {
  const elements = query.get('_elements')
  if (elements !== null && elements !== '') return { kind: 'elements', names: elements.split(',') }
  const summary = query.get('_summary')
  switch (summary) {
    case null:
    case '':
    case 'false':
      return { kind: 'whole' }
    case 'true':
    case 'text':
    case 'data':
      return { kind: 'summary', of: summary }
    case 'count':
      return { kind: 'count' }
    default:
      throw incorrect('_summary can be true, text, data, count or false.', {
        fields: [{ path: '_summary', message: 'must be true, text, data, count or false' }],
      })
  }
}
