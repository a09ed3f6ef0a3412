import { oneOf, type Choose } from '../../testkit/cases.ts'
import type { Delimiters } from '../delimiters.ts'

const punctuation = Array.from("!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")

/** Six signs, no two alike. */
export function anyDelimiters(choose: Choose): Required<Delimiters> {
  const left = [...punctuation]
  const next = () => left.splice(choose(left.length), 1)[0] ?? ''
  return {
    ...{ field: next(), component: next(), repetition: next(), escape: next(), subcomponent: next() },
    truncation: next(),
  }
}

const hostileTexts = [
  ...['', '""', '"', '\rPID|1', '\nPID|1|', '\u001c\r', '\u000bMSH|^~\\&|', '\\F\\', '\\X0D\\', '\\', '#'],
  ...['\\.br\\', '\\XC3', '\\E\\', '\u0085', '\u2028', '\ufeff'],
]
const signs = [...punctuation, '\r', '\n', 'P', 'I', 'D', '\u000b', '\u001c', '0', 'X']

/** Texts made to hurt: structure, frames, other segments, escapes, quotes; and letters of all scripts. */
export function hostileValue(choose: Choose): string {
  const kind = choose(3)
  if (kind === 0) return oneOf(choose, hostileTexts)
  let text = ''
  for (let left = choose(13); left > 0; left--) text += kind === 1 ? anyLetter(choose) : oneOf(choose, signs)
  return text
}

/** Any character that Unicode has, those of one byte as often as all others; halves of characters are none. */
function anyLetter(choose: Choose): string {
  const point = choose(2) === 0 ? 0x20 + choose(0x5f) : 0xa0 + choose(choose(2) === 0 ? 0xd760 : 0x10_ff60)
  return point >= 0xd800 && point <= 0xdfff ? 'e\u0301' : String.fromCodePoint(point)
}

/** A list of 1 up to so many. */
export function some<Value>(choose: Choose, max: number, make: (choose: Choose) => Value): Value[] {
  const values = [make(choose)]
  for (let left = choose(max); left > 0; left--) values.push(make(choose))
  return values
}
