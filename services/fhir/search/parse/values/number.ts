import { numberRangeOf } from '../../../../../packages/fhir/number.ts'
import { prefixes } from '../../../../../packages/fhir/search/modifiers.ts'
import type { SoughtNumber, SoughtQuantity } from '../../ast.ts'
import { splitAt, unescape } from '../escapes.ts'
import { oneOf, refuse } from '../refuse.ts'
import { splitPrefix } from './prefix.ts'

/** `gt5.40`: a prefix and a decimal, whose digits say how exact it is. */
export function parseNumber(text: string, name: string): SoughtNumber {
  const { prefix, rest } = splitPrefix(text)
  const range = numberRangeOf(rest)
  if (prefix === undefined || range === undefined || !Number.isFinite(range.low) || !Number.isFinite(range.high)) {
    throw refuse(name, `needs a decimal number such as 5.4, after one of ${oneOf(prefixes)} or nothing.`)
  }
  if (prefix !== 'ap') return { kind: 'number', prefix, ...range }
  const slack = Math.abs(range.value) / 10
  return { kind: 'number', prefix, value: range.value, low: range.value - slack, high: range.value + slack }
}

/** `5.4|http://unitsofmeasure.org|mg`, `5.4||mg` (the unit whatever its system) or `5.4`. */
export function parseQuantity(text: string, name: string): SoughtQuantity {
  const [number = '', system = '', code = '', ...more] = splitAt(text, '|')
  if (more.length > 0) throw refuse(name, 'needs a value of the form number|system|code.')
  return {
    kind: 'quantity',
    number: parseNumber(number, name),
    system: system === '' ? undefined : unescape(system),
    code: code === '' ? undefined : unescape(code),
  }
}
