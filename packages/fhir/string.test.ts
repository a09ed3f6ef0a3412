import { expect, it } from 'vitest'
import { stringOf } from './string.ts'

it.each([
  [null, undefined],
  ['', undefined],
  [' \r\n\t', undefined],
  ['\u0000\u001f', undefined],
  ['Act 5', 'Act 5'],
  [' two\nlines\t', ' two\nlines\t'],
  ['a\u0001b\u202e😀', 'ab\u202e😀'],
  ['a\ud800b', 'a\ufffdb'],
])('%j is %j', (text, string) => {
  expect(stringOf(text)).toBe(string)
})
