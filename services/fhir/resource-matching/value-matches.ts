import { unreachable } from '../../../packages/faults/fault.ts'
import { fold } from '../../../packages/fhir/fold.ts'
import type { SearchParameter } from '../../../packages/fhir/definitions.ts'
import type { IndexValue, ReferenceValue, TokenValue } from '../../../packages/fhir/search/index-value.ts'
import type { Sought, SoughtReference } from '../search/ast.ts'
import type { ResolvedCodes } from '../search/resolve-codes.ts'
import { resourceKeys } from '../search/sql/rows/references.ts'
import { ancestorsOf } from '../search/sql/rows/uris.ts'
import { targetOf } from '../store/index-cells.ts'
import { addressKey } from '../store/keys.ts'
import { isInNumber, isInDate } from './ranges.ts'

export interface MatchContext {
  readonly parameter: SearchParameter
  readonly codes: ResolvedCodes
  readonly ownBases: readonly string[]
  readonly allTypes: Iterable<string>
}

/** The kinds of sought values that are compared here; the others are left to the search itself. */
export const comparableKinds: ReadonlySet<Sought['kind']> = new Set([
  ...(['token', 'codes', 'token-text', 'string', 'date', 'number', 'quantity', 'reference', 'uri'] as const),
])

/** Whether a value of a resource is what is sought: in memory what `search/sql/rows` asks of the index. */
export function valueMatches(value: IndexValue, sought: Sought, context: MatchContext): boolean {
  switch (sought.kind) {
    case 'token':
      return value.kind === 'token' && isToken(value, sought)
    case 'codes':
      return value.kind === 'token' && context.codes(sought).some((code) => isToken(value, code))
    case 'token-text':
      return value.kind === 'token' && value.text !== undefined && fold(value.text).startsWith(sought.folded)
    case 'string':
      return value.kind === 'string' && isString(value, sought)
    case 'date':
      return value.kind === 'date' && isInDate(value, sought)
    case 'number':
      return (value.kind === 'number' || value.kind === 'quantity') && isInNumber(value, sought)
    case 'quantity':
      return value.kind === 'quantity' && isInNumber(value, sought.number) && hasUnit(value, sought)
    case 'reference':
      return value.kind === 'reference' && isReference(value, sought, context)
    case 'uri':
      return value.kind === 'uri' && isUri(value.uri, sought)
    case 'token-of-type':
    case 'reference-identifier':
    case 'composite':
      return false
    default:
      return unreachable(sought)
  }
}

function isToken(
  value: TokenValue,
  { system, code }: { system: string | undefined; code: string | undefined },
): boolean {
  const isSystem = system === undefined || (system === '' ? value.system === undefined : value.system === system)
  // `system|` means any code of it, never a concept that is only text.
  return isSystem && (code === undefined ? system !== undefined && value.code !== undefined : value.code === code)
}

function isString(
  { text, folded }: { text: string; folded: string },
  sought: Extract<Sought, { kind: 'string' }>,
): boolean {
  if (sought.how === 'exact') return text === sought.text
  return sought.how === 'starts' ? folded.startsWith(sought.text) : folded.includes(sought.text)
}

/** With a system it is a code of it; without one people write what they see, which is the unit. */
function hasUnit(
  value: Extract<IndexValue, { kind: 'quantity' }>,
  { system, code }: Extract<Sought, { kind: 'quantity' }>,
): boolean {
  if (system !== undefined && value.system !== system) return false
  if (code === undefined) return true
  return value.code === code || (system === undefined && value.unit === code)
}

function isReference(value: ReferenceValue, sought: SoughtReference, context: MatchContext): boolean {
  const { parameter, ownBases, allTypes } = context
  if (sought.url !== undefined && sought.version !== undefined) {
    return value.url === sought.url && value.version === sought.version
  }
  const target = targetOf(value, { ownBases })
  if (target === undefined) return false
  return sought.url === undefined
    ? resourceKeys(sought, parameter, allTypes).includes(target)
    : target === addressKey(sought.url)
}

function isUri(uri: string, sought: Extract<Sought, { kind: 'uri' }>): boolean {
  if (sought.how === 'is') return uri === sought.uri
  if (sought.how === 'above') return ancestorsOf(sought.uri).includes(uri)
  return uri === sought.uri || uri.startsWith(sought.uri.endsWith('/') ? sought.uri : `${sought.uri}/`)
}
