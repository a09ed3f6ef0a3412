/** The numbers that a decimal stands for by its digits: from `low` up to but not including `high`. */
export interface NumberRange {
  readonly value: number
  readonly low: number
  readonly high: number
}

/**
 * R4 section 3.1.1.4.6: 100 is [99.5, 100.5), 100.00 is [99.995, 100.005), 1e2 is [95, 105). The text decides, so
 * write 1.00 and not 1 if that is meant. Undefined if it is no decimal.
 */
export function numberRangeOf(text: string): NumberRange | undefined {
  const match = text.length > decimalLengthMax ? null : decimalPattern.exec(text)
  if (match === null) return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) return undefined
  const fraction = match[1] ?? ''
  const exponent = match[2]
  // The standard's own example: a bare mantissa with an exponent is good to half of the place below its last digit.
  const places = fraction.length - Number(exponent ?? 0) + (exponent !== undefined && fraction === '' ? 1 : 0)
  const digitsOnly =
    text.replace(/[eE].*$/, '').replace('.', '') + (exponent !== undefined && fraction === '' ? '0' : '')
  const high = shifted(digitsOnly, 5, places)
  // With sixteen digits half a unit is less than a double can tell apart; the number itself must still be in its range.
  return { value, low: shifted(digitsOnly, -5, places), high: high > value ? high : nextAbove(value) }
}

/** The least that a double can be more. */
export const nextAbove = (value: number) => value + Math.max(Number.MIN_VALUE, Math.abs(value) * Number.EPSILON)

export const nextBelow = (value: number) => -nextAbove(-value)

/** R4 asks for 18 digits; far more would only serve to make the sums below slow. */
export const decimalLengthMax = 64

export const decimalPattern = /^-?(?:0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]{1,4}))?$/

/** The same decimal without an exponent, for formats that know none. What would be too long stays as it is. */
export function inDigits(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)([0-9]+)(?:[.]([0-9]+))?[eE]([+-]?[0-9]+)$/.exec(text) ?? []
  if (exponent === undefined || Math.abs(Number(exponent)) > decimalLengthMax) return text
  const pointAt = whole.length + Number(exponent)
  const digits = `${'0'.repeat(Math.max(0, 1 - pointAt))}${whole}${fraction}`.padEnd(pointAt, '0')
  const [before, after] = [digits.slice(0, Math.max(1, pointAt)), digits.slice(Math.max(1, pointAt))]
  return `${sign}${before.replace(/^0+(?=[0-9])/, '')}${after === '' ? '' : `.${after}`}`
}

/** Adds half a unit of the last place in whole numbers, because 5.4 - 0.05 is 5.3500000000000005. */
function shifted(digitsOnly: string, half: number, places: number): number {
  const isExact = digitsOnly.length < 15
  const tenfold = isExact ? Number(digitsOnly) * 10 + half : BigInt(`${digitsOnly}0`) + BigInt(half)
  return Number(`${tenfold}e${-places - 1}`)
}
