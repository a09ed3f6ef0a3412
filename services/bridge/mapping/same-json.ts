import { Decimal, decimalText } from '../../../packages/fhir/parse-json.ts'

/** The same JSON, in whatever order its members stand. A decimal is the same when it was written the same. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (isDecimal(one) || isDecimal(other)) {
    return isDecimal(one) && isDecimal(other) && decimalText(one) === decimalText(other)
  }
  if (!isNode(one) || !isNode(other) || Array.isArray(one) !== Array.isArray(other)) return false
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => isSameJson(one[name], other[name]))
}

const isDecimal = (value: unknown): value is number | Decimal => typeof value === 'number' || value instanceof Decimal

/** An array is one too: its members are its items. */
const isNode = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
