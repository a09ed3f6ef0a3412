import { expect, it } from 'vitest'
import { systemClock } from '../../../../packages/clock/clock.ts'
import { systemIds } from '../../../../packages/clock/ids.ts'
import { acknowledge, parseMessage } from '../../../../packages/hl7/index.ts'
import { answerText } from './transaction-answer.ts'

const deps = { clock: systemClock, ids: systemIds }
const header = 'MSH|^~\\&|HIS|CENTRAL|HUB|MÜNCHEN|20260304||ADT^A01|C1|P|2.5.1'

it.each([
  ['UTF-8', Buffer.from(header)],
  ['a set that MSH-18 names', Buffer.from(`${header}||||||8859/1`, 'latin1')],
  ['a set that nobody names', Buffer.from(header, 'latin1')],
])('an answer in %s is shown as its sender reads it', (_set, bytes) => {
  const message = parseMessage(bytes)
  const { bytes: answer } = acknowledge(message, { code: 'AA' }, deps)
  expect(answerText(answer, message)).toContain('|MÜNCHEN|')
  expect(answerText(answer, undefined)).toContain('|MÜNCHEN|')
})

it('an answer to what is no message is shown, and of a long one the beginning', () => {
  expect(answerText(Buffer.from('no message'), undefined)).toBe('no message')
  expect(answerText(Buffer.from('x'.repeat(100_000)), undefined)).toHaveLength(8_000)
})
