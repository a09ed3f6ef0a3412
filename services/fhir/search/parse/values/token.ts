import { fold } from '../../../../../packages/fhir/fold.ts'
import type { Sought, SoughtCodes, SoughtToken } from '../../ast.ts'
import { splitAt, unescape } from '../escapes.ts'
import { refuse } from '../refuse.ts'
import { filledText } from './string.ts'

/** `code`, `system|code`, `|code` (a code without a system) or `system|` (any code of it). */
export function parseToken(text: string, name: string): SoughtToken {
  const [first = '', second, ...more] = splitAt(text, '|')
  if (more.length > 0)
    throw refuse(name, 'has more than one | in a value; write system|code, and \\| for a | in a code.')
  if (second === undefined) return { kind: 'token', system: undefined, code: filled(first, name) }
  if (first === '' && second === '') throw refuse(name, 'has neither a system nor a code around |.')
  return { kind: 'token', system: unescape(first), code: second === '' ? undefined : unescape(second) }
}

export function parseTokenText(text: string, name: string): Sought {
  return { kind: 'token-text', folded: filledText(fold(unescape(text)), name) }
}

/** `identifier:of-type=system|code|value`: all three are needed. */
export function parseOfType(text: string, name: string): Sought {
  const parts = splitAt(text, '|').map(unescape)
  const [system, code, value] = parts
  if (parts.length !== 3 || !system || !code || !value) {
    throw refuse(name, 'needs a value of the form system|code|value, where system|code is the type of the identifier.')
  }
  return { kind: 'token-of-type', system, code, value }
}

export function parseValueSet(text: string, name: string): SoughtCodes {
  return { kind: 'codes', relation: 'in', of: filled(text, name) }
}

export function parseSubsumption(text: string, relation: 'below' | 'above', name: string): SoughtCodes {
  const token = parseToken(text, name)
  if (!token.system || token.code === undefined) throw refuse(name, 'needs a value of the form system|code.')
  return { kind: 'codes', relation, of: `${token.system}|${token.code}` }
}

function filled(text: string, name: string): string {
  if (text === '') throw refuse(name, 'has an empty value.')
  return unescape(text)
}
