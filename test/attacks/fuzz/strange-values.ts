import * as fc from 'fast-check'

/** What PostgreSQL does not keep, what has no UTF-8, what turns a line round, joins, grows or ends something. */
export const oddTexts = [
  ...['\u0000', 'a\u0000b', '\ud800', 'a\udfffb', '\u202eabc\u202c', '\ufeff', '\uffff', '👩‍👩‍👧‍👦', 'ﷺ', 'e\u0301'],
  ...['\r\nX-Injected: 1', '\u2028', '%00', '%', '%zz', '../../etc/passwd', '${7*7}', '{{7*7}}', "' or 1=1 --", '\\'],
  ...['<script>alert(1)</script>', 'javascript:alert(1)', '[object Object]', 'NaN', 'null', 'undefined', '__proto__'],
  ...['9999-12-31', '0000-00-00', '2024-02-30', '-271821-04-20', '1e400', '0x10', '١٢٣', 'Patient/', '|', '$expand'],
]

export const strangeTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.nat(3).map((power) => 'x'.repeat(70 * 10 ** power)),
)

/** Numbers that JSON can say and a program cannot hold stand here as marks; `jsonText` writes them out. */
export const strangeNumbers: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324, -1, 0.1),
  fc.constantFrom('1e400', '-1e400', '1e-400', '0.1e1000000', '9'.repeat(400)).map((digits) => `${mark}${digits}`),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)

const deep = (depth: number, inner: unknown): unknown => {
  let value = inner
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

export const strangeValues: fc.Arbitrary<unknown> = fc.oneof(
  strangeTexts,
  strangeNumbers,
  fc.constantFrom(null, true, false, [], {}, [[]], [null]),
  fc.constantFrom(20, 200, 2_000).map((depth) => deep(depth, 'x')),
  fc.constantFrom('__proto__', 'constructor', 'toString').map((name) => Object.fromEntries([[name, { polluted: 1 }]])),
)

const mark = '\u0001number:'

/** JSON with the numbers that only JSON can say. */
export const jsonText = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replaceAll(/"\\u0001number:([^"]*)"/g, '$1')

/** As it goes into an address, a form or a header: a list is given several times. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, 60).map(textOf) : [textOf(value)]

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value.replace(mark, '') : jsonText(value)).toWellFormed()
