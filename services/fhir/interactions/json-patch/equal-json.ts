import { Decimal } from '../../../../packages/fhir/parse-json.ts'

/** RFC 6902 section 4.6: numbers by their value, lists in order, objects in any order. */
export function isEqualJson(some: unknown, other: unknown): boolean {
  if (isNumber(some) && isNumber(other)) return some === other || valueOf(some) === valueOf(other)
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

const isNumber = (value: unknown): value is number | Decimal => typeof value === 'number' || value instanceof Decimal

/** The same for 1.00, 1 and 10e-1, and another for every other value: a double is 1 for 1.00000000000000000001, too. */
function valueOf(number: number | Decimal): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimalParts.exec(String(number)) ?? []
  const digits = `${whole}${fraction}`
  let [start, end] = [0, digits.length]
  while (digits[start] === '0') start++
  while (end > start && digits[end - 1] === '0') end--
  const power = Number(exponent) - fraction.length + digits.length - end
  return start === end ? '0' : `${sign}${digits.slice(start, end)}e${power}`
}

const decimalParts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value)
