/** A set of the characters of an alphabet, as bits. */
export type Signs = bigint

/** ASCII and Latin-1 as a whole, one or more of everything else that patterns tell apart, and what this one names. */
export const alphabetOf = (source: string): readonly string[] => [
  ...new Set([
    ...Array.from({ length: 256 }, (_, code) => String.fromCodePoint(code)),
    ...['ı', 'ſ', '\u0301', 'б', 'ب', '١', '\u2028', '\u2029', '\u202f', '–', '\u212a', '中', '\ufeff', '\ufffd'],
    ...['\ud800', '😀', ...Array.from(source)],
  ]),
]

/** What one sign of a pattern takes: asked of the engine itself, so that no rule of it is written here again. */
export function signsOf(atom: string, flags: string, alphabet: readonly string[]): Signs {
  const alone = new RegExp(`^(?:${atom})$`, flags.replaceAll(/[dgmy]/g, ''))
  return alphabet.reduce((bits, sign, place) => (alone.test(sign) ? bits | (1n << BigInt(place)) : bits), 0n)
}
