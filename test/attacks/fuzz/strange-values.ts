import { oneOf, type Choose } from '../../../packages/testkit/cases.ts'

/** Makes a value from choices; those of 0 give the simplest one. */
export type Make<Value> = (choose: Choose) => Value

/** What PostgreSQL does not keep, what has no UTF-8, what turns a line round, joins, grows or ends something. */
export const oddTexts = [
  ...['\u0000', 'a\u0000b', '\ud800', 'a\udfffb', '\u202eabc\u202c', '\ufeff', '\uffff', '👩‍👩‍👧‍👦', 'ﷺ', 'e\u0301'],
  ...['\r\nX-Injected: 1', '\u2028', '%00', '%', '%zz', '../../etc/passwd', '${7*7}', '{{7*7}}', "' or 1=1 --", '\\'],
  ...['<script>alert(1)</script>', 'javascript:alert(1)', '[object Object]', 'NaN', 'null', 'undefined', '__proto__'],
  ...['9999-12-31', '0000-00-00', '2024-02-30', '-271821-04-20', '1e400', '0x10', '١٢٣', 'Patient/', '|', '$expand'],
]

/** The long ones cost more than they find: there are few of them. */
const longTexts = [70, 70, 70, 700, 700, 700, 7_000, 70_000].map((length) => 'x'.repeat(length))

/** An odd text in most cases, else any signs or a long one. */
export const strangeText: Make<string> = (choose) => {
  const kind = choose(12)
  if (kind < 7) return oneOf(choose, oddTexts)
  return kind < 11 ? anyText(choose, 60, 0x1_0000) : oneOf(choose, longTexts)
}

/** Signs of 16 bits below the bound, halves of characters among them. */
export function anyText(choose: Choose, lengthMax: number, bound: number): string {
  let text = ''
  for (let left = choose(lengthMax + 1); left > 0; left--) text += String.fromCharCode(choose(bound))
  return text
}

const mark = '\u0001number:'

/** Numbers that JSON can say and a program cannot hold stand here as marks; `jsonText` writes them out. */
const numbers = [
  ...[2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324, -1, 0.1],
  ...['1e400', '-1e400', '1e-400', '0.1e1000000', '9'.repeat(400)].map((digits) => `${mark}${digits}`),
]

export const strangeNumber: Make<unknown> = (choose) =>
  choose(3) < 2 ? oneOf(choose, numbers) : (choose(2 ** 32) - 2 ** 31) / 10 ** choose(20)

const nested = (depth: number): unknown => {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

const strangeThings: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [null], 0, '', [0], ['x'], { a: null }],
  ...[20, 200, 2_000].map(nested),
  ...['__proto__', 'constructor', 'toString'].map((name) => Object.fromEntries([[name, { polluted: 1 }]])),
]

/** Written once: at every step into the deep ones a writer of JSON looks at all the steps before, for a circle. */
const textsOfThings = new Map(strangeThings.map((thing) => [thing, JSON.stringify(thing)]))

export const strangeValue: Make<unknown> = (choose) => {
  const kind = choose(5)
  if (kind < 3) return oneOf(choose, strangeThings)
  return kind === 3 ? strangeText(choose) : strangeNumber(choose)
}

/** JSON with the numbers that only JSON can say. */
export function jsonText(value: unknown): string {
  const text = textsOfThings.get(value) ?? JSON.stringify(value) ?? 'null'
  return text.includes('\\u0001number:') ? text.replaceAll(/"\\u0001number:([^"]*)"/g, '$1') : text
}

/** As it goes into an address, a form or a header: a list is given several times. */
export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, 60).map(textOf) : [textOf(value)]

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value.replace(mark, '') : jsonText(value)).toWellFormed()
