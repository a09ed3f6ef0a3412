import type { ParameterType } from '../../../../../packages/fhir/compiled.ts'
import { bug, unreachable } from '../../../../../packages/faults/fault.ts'
import type { Sought } from '../../ast.ts'
import type { ParseContext } from '../parse-context.ts'
import { parseDate } from './date.ts'
import { parseNumber, parseQuantity } from './number.ts'
import { parseString } from './string.ts'
import { parseToken } from './token.ts'
import { parseUri } from './uri.ts'

/** A value of a type without modifiers, also as a component of a composite. */
export function parsePlain(text: string, type: ParameterType, name: string, context: ParseContext): Sought {
  switch (type) {
    case 'date':
      return parseDate(text, context.now, name)
    case 'number':
      return parseNumber(text, name)
    case 'quantity':
      return parseQuantity(text, name)
    case 'token':
      return parseToken(text, name)
    case 'string':
      return parseString(text, 'starts', name)
    case 'uri':
      return parseUri(text, 'is', name)
    case 'reference':
    case 'composite':
    case 'special':
      throw bug(`a ${type} cannot be read without its parameter`)
    default:
      return unreachable(type)
  }
}
