import { oneOf, type Choose } from '../../packages/testkit/cases.ts'

/** What ends a field, a segment, a frame, a line, a string or an element somewhere. */
const signs = [
  ...['|', '^', '~', '\\', '&', '#', '\r', '\n', '\r\n', '\v', '\u001c', '\u001c\r', '\u0000', '\u0085', '\u2028'],
  ...[
    '\\X0D\\',
    '\\X0B\\',
    '\\F\\',
    '\\E\\',
    '\\.br\\',
    '\\T\\',
    '\\',
    '\rPID|1||evil',
    '\nOBX|1|TX|||evil',
    'MSH|^~\\&|',
  ],
  ...[
    '"',
    "'",
    '<',
    '>',
    '</',
    '/>',
    ']]>',
    '<!--',
    '&amp;',
    '&#13;',
    '%0d%0a',
    '\u001b[31m',
    '\u202e',
    '\ud800',
    '😀',
  ],
  ...[',', ';', '=', '{', '}', '12 <85>1 ', '\ufeff', 'é', 'ا'],
]

/** Texts of 1 to 8 parts: in four of five such a sign, else up to three letters. */
export function hostileText(choose: Choose): string {
  let text = ''
  for (let left = 1 + choose(8); left > 0; left--) text += choose(5) === 0 ? someLetters(choose) : oneOf(choose, signs)
  return text
}

function someLetters(choose: Choose): string {
  let letters = ''
  for (let left = choose(4); left > 0; left--) letters += String.fromCharCode(0x20 + choose(0x5f))
  return letters
}

type Path = readonly (string | number)[]

/** Every text inside a value, by where it stands. */
export function textsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value === 'string') return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]))
}

/** The value with another text in that place. */
export function withText<Value>(value: Value, [step, ...rest]: Path, text: string): Value {
  // Sound: the path came from this value, so that its last step is a text and all others are objects or arrays.
  if (step === undefined) return text as Value
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...value }
  Reflect.set(copy as object, step, withText(Reflect.get(copy as object, step), rest, text))
  return copy as Value
}
