export type Direction = 'ltr' | 'rtl'

/** Arabic, Hebrew and the scripts beside them. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const leftToRight = /[A-Za-z\u00c0-\u02b8\u0370-\u058f\u1e00-\u1fff]/

/** The direction of the first letter that has one, or the one around it. */
export function directionOf(text: string, around: Direction = 'ltr'): Direction {
  for (const sign of text) {
    if (rightToLeft.test(sign)) return 'rtl'
    if (leftToRight.test(sign)) return 'ltr'
  }
  return around
}

/**
 * The words of a line from left to right as they are seen: the simple case of the Unicode bidirectional algorithm, in
 * which words have one direction each. Runs follow the direction of the line, words that of their run. Numbers stay with
 * the words before them, read from left to right.
 */
export function visualOrder(text: string, line: Direction): readonly string[] {
  const runs: { readonly direction: Direction; readonly words: string[] }[] = []
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const direction = directionOf(word, runs.at(-1)?.direction ?? line)
    const run = runs.at(-1)
    if (run?.direction === direction) run.words.push(word)
    else runs.push({ direction, words: [word] })
  }
  const seen = runs.map(({ direction, words }) => (direction === 'rtl' ? words.toReversed() : words))
  return (line === 'rtl' ? seen.toReversed() : seen).flat()
}

/** Signs beside Arabic letters as they are seen there: from right to left, and a bracket opens to the left. */
export const mirrored = (signs: string): string =>
  Array.from(signs, (sign) => mirrorImages.get(sign) ?? sign)
    .toReversed()
    .join('')

const mirrorImages = new Map(['()', '[]', '{}', '<>', '«»', '‹›'].flatMap(pair))

function pair(signs: string): [string, string][] {
  const [opening = '', closing = ''] = Array.from(signs)
  return [
    [opening, closing],
    [closing, opening],
  ]
}
