/** Whether a text is a bigint as the server prints them; what is out of range it refuses in its own words. */
export function isBigintText(text: string): boolean {
  const isNegative = text.charCodeAt(0) === minus
  const digits = text.length - (isNegative ? 1 : 0)
  if (digits < 1 || digits > greatest.length) return false
  for (let at = text.length - digits; at < text.length; at++) {
    const digit = text.charCodeAt(at) - zero
    if (digit < 0 || digit > 9) return false
  }
  return digits < greatest.length || (isNegative ? text.slice(1) : text) <= greatest
}

/**
 * Writes it as its eight bytes. By way of a BigInt it takes four times as long, and keys of resources are nearly all
 * that is written to an index.
 */
export function writeBigintText(text: string, buffer: Buffer, at: number): void {
  const isNegative = text.charCodeAt(0) === minus
  let high = 0
  let low = 0
  // Six digits at a time: the products stay whole numbers.
  for (let from = isNegative ? 1 : 0; from < text.length; from += chunk) {
    const end = Math.min(from + chunk, text.length)
    let value = 0
    for (let place = from; place < end; place++) value = value * 10 + (text.charCodeAt(place) - zero)
    const scale = scales[end - from] ?? 1
    const product = low * scale + value
    low = product % word
    high = high * scale + (product - low) / word
  }
  if (isNegative) {
    high = low === 0 ? word - high : word - 1 - high
    low = low === 0 ? 0 : word - low
  }
  buffer.writeUInt32BE(high % word, at)
  buffer.writeUInt32BE(low, at + 4)
}

const zero = 48
const minus = 45
const greatest = '9223372036854775807'
const chunk = 6
const scales = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]
const word = 2 ** 32
