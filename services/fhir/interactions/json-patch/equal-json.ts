import { Decimal } from '../../../../packages/fhir/parse-json.ts'

/** RFC 6902 section 4.6: numbers by their value, lists in order, objects in any order. */
export function isEqualJson(some: unknown, other: unknown): boolean {
  if (isNumber(some) && isNumber(other)) return Number(some) === Number(other)
  if (Array.isArray(some) && Array.isArray(other)) {
    return some.length === other.length && some.every((item, index) => isEqualJson(item, other[index]))
  }
  if (isObject(some) && isObject(other)) {
    const names = Object.keys(some)
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && isEqualJson(some[name], other[name]))
    )
  }
  return some === other
}

const isNumber = (value: unknown) => typeof value === 'number' || value instanceof Decimal

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value)
