import { unreachable } from '../../../../packages/faults/fault.ts'
import type { SearchParameter } from '../../../../packages/fhir/definitions.ts'
import type { Sought } from '../ast.ts'
import { ancestorsOf } from '../sql/rows/uris.ts'
import type { ParseContext } from './parse-context.ts'
import { targetTypesOf } from './target-types.ts'

interface Asked {
  readonly parameter: SearchParameter
  /** How many types are searched at once. */
  readonly typeCount: number
  readonly definitions: ParseContext['definitions']
}

/** How many values the database compares with, at most: a bare id is one of each type that it may be of. */
export function valuesOf(anyOf: readonly Sought[], { parameter, typeCount, definitions }: Asked): number {
  if (parameter.code === '_id') return anyOf.length * typeCount
  const bareIdTypes = targetTypesOf(parameter).length || definitions.resourceTypes.size
  return anyOf.map((sought) => valuesOfOne(sought, bareIdTypes)).reduce((sum, one) => sum + one, 0)
}

/** As `sql/rows` writes each of them. */
function valuesOfOne(sought: Sought, bareIdTypes: number): number {
  switch (sought.kind) {
    case 'token':
    case 'token-text':
    case 'token-of-type':
    case 'codes':
    case 'reference-identifier':
      return 1
    case 'string':
      return 2
    case 'date':
      return 3
    case 'number':
      return 5
    case 'quantity':
      return 8
    case 'uri':
      return sought.how === 'above' ? ancestorsOf(sought.uri).length : 3
    case 'reference':
      return sought.type === undefined && sought.url === undefined ? bareIdTypes : 1
    case 'composite':
      return sought.parts.map((part) => valuesOfOne(part, bareIdTypes)).reduce((sum, one) => sum + one, 0)
    default:
      return unreachable(sought)
  }
}

/** What to do about too many of them. */
export function adviceFor(parameter: SearchParameter): string {
  if (parameter.code === '_id') return 'Name the type, such as _type=Patient.'
  if (parameter.type !== 'reference') return 'Ask for fewer alternatives.'
  const types = targetTypesOf(parameter)
  const [type = 'Patient'] = types.includes('Patient') ? [] : types
  return `Name the type, such as ${parameter.code}=${type}/1.`
}
