import { assert } from '../../faults/fault.ts'

/**
 * The names of the segments of the log of changes from the first to the last. A name is the timeline and the number of the
 * segment in two parts, 8 hexadecimal digits each; a segment of 16 MB makes the last part count to 255.
 */
export function segmentsBetween(first: string, last: string, segmentBytes: number): string[] {
  const timeline = first.slice(0, 8)
  assert(last.startsWith(timeline), 'a server that was not promoted meanwhile stays on its timeline')
  const perPart = 2 ** 32 / segmentBytes
  const numberOf = (name: string) =>
    Number.parseInt(name.slice(8, 16), 16) * perPart + Number.parseInt(name.slice(16), 16)
  const [from, to] = [numberOf(first), numberOf(last)]
  const hex = (number: number) => number.toString(16).toUpperCase().padStart(8, '0')
  return Array.from({ length: to - from + 1 }, (_, at) => from + at).map(
    (number) => `${timeline}${hex(Math.floor(number / perPart))}${hex(number % perPart)}`,
  )
}
