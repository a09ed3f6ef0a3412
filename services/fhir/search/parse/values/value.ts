import type { SearchParameter } from '../../../../../packages/fhir/definitions.ts'
import { bug, unreachable } from '../../../../../packages/faults/fault.ts'
import type { Sought } from '../../ast.ts'
import type { ParseContext } from '../parse-context.ts'
import { parseComposite } from './composite.ts'
import { parsePlain } from './plain.ts'
import { parseReferenceValue } from './reference.ts'
import { parseString } from './string.ts'
import { parseOfType, parseSubsumption, parseToken, parseTokenText, parseValueSet } from './token.ts'
import { parseUri } from './uri.ts'

/** Reads one alternative. The modifier is one that the parameter's type allows, or a resource type for references. */
export function parseValue(
  text: string,
  parameter: SearchParameter,
  modifier: string | undefined,
  name: string,
  context: ParseContext,
): Sought {
  switch (parameter.type) {
    case 'token':
      return tokenValue(text, modifier, name)
    case 'string':
      return parseString(text, modifier === 'exact' || modifier === 'contains' ? modifier : 'starts', name)
    case 'reference':
      return modifier === 'identifier'
        ? { kind: 'reference-identifier', identifier: parseToken(text, name) }
        : parseReferenceValue(text, parameter, modifier, name, context)
    case 'uri':
      return parseUri(text, modifier === 'below' || modifier === 'above' ? modifier : 'is', name)
    case 'date':
    case 'number':
    case 'quantity':
      return parsePlain(text, parameter.type, name, context)
    case 'composite':
      return parseComposite(text, parameter, name, context)
    case 'special':
      throw bug(`the special parameter ${parameter.code} has no values to read`)
    default:
      return unreachable(parameter.type)
  }
}

function tokenValue(text: string, modifier: string | undefined, name: string): Sought {
  switch (modifier) {
    case 'text':
      return parseTokenText(text, name)
    case 'of-type':
      return parseOfType(text, name)
    case 'in':
    case 'not-in':
      return parseValueSet(text, name)
    case 'below':
    case 'above':
      return parseSubsumption(text, modifier, name)
    case undefined:
    default:
      return parseToken(text, name)
  }
}
