import { array, constantFrom, oneof, string, type Arbitrary } from 'fast-check'

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

/** Texts made mostly of such signs. */
export const hostileText: Arbitrary<string> = array(
  oneof({ weight: 4, arbitrary: constantFrom(...signs) }, string({ maxLength: 3 })),
  {
    minLength: 1,
    maxLength: 8,
  },
).map((parts) => parts.join(''))

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
