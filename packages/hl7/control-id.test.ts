import { expect, it } from 'vitest'
import { controlIdOf } from './control-id.ts'
import { parseMessage } from './parse.ts'

it.each([
  ['MSG00001', 'MSG00001'],
  ['A^1', 'A^1'],
  ['A&1~2', 'A&1~2'],
  ['A\\T\\1', 'A&1'],
  ['', undefined],
  ['""', undefined],
  [' ', undefined],
  ['          ', undefined],
  ['^', undefined],
  ['^^~&', undefined],
  ['\u0000', undefined],
  [' 7 ', ' 7 '],
  ['0', '0'],
  ['-', '-'],
])('MSH-10 written as %j is the control id %j', (written, id) => {
  expect(controlIdOf(parseMessage(`MSH|^~\\&|HIS|CENTRAL|||20260304||ADT^A01|${written}|P|2.5.1\r`))).toBe(id)
})

it('a control id of separators that are none in this message is one', () => {
  expect(controlIdOf(parseMessage('MSH|$~\\&|HIS|CENTRAL|||20260304||ADT$A01|^|P|2.5.1\r'))).toBe('^')
})
