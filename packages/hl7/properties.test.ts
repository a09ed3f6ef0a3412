import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { systemIds } from '../clock/ids.ts'
import { faultOf } from '../faults/fault.ts'
import { oneOf, tryCases, type Choose } from '../testkit/cases.ts'
import { casesOf, casesTimeoutMs as timeout } from '../testkit/extent.ts'
import { acknowledge } from './acknowledge.ts'
import { splitBatch } from './batch.ts'
import { edit, MessageBuilder } from './builder.ts'
import { charsetNamed } from './charset.ts'
import { repeated } from './field-value.ts'
import type { Hl7Fault } from './hl7-fault.ts'
import { failureAnswer } from './mllp/failure-answer.ts'
import type { Message } from './message.ts'
import { parseMessage, tryParseMessage } from './parse.ts'
import { anyBytes } from './testing/any-bytes.ts'
import { anyDelimiters, hostileValue, some } from './testing/hostile-values.ts'
import * as types from './types/index.ts'

// Plain assertions and made cases here: at millions of them, whatever looks at a case costs more than the case.

const clock = new SimulatedClock()
const deps = { clock, ids: { ...systemIds, secret: () => 'ABCDEFGHIJ0123456789' } }
const namesIn = (message: Message) => message.all.map(({ name }) => name).join(' ')

describe('building and reading', { timeout }, () => {
  it('are inverse for any text in any place under any delimiters', () => {
    const anyField = (choose: Choose) => some(choose, 2, () => some(choose, 2, () => some(choose, 3, hostileValue)))
    tryCases(
      casesOf({ daily: 20_000, long: 2_000_000 }),
      (choose) => ({ delimiters: anyDelimiters(choose), fields: some(choose, 3, anyField) }),
      ({ delimiters, fields }) => {
        const built = new MessageBuilder({ delimiters })
          .add('MSH', { 9: ['ADT', 'A01'] })
          .add(
            'ZZZ',
            fields.map((repetitions) => repeated(repetitions)),
          )
          .add('END', ['x'])
        const message = parseMessage(built.bytes())
        assert.equal(namesIn(message), 'MSH ZZZ END')
        const segment = message.segment('ZZZ')
        fields.forEach((repetitions, f) => {
          repetitions.forEach((components, r) => {
            components.forEach((subcomponents, c) => {
              subcomponents.forEach((text, s) => {
                assert.equal(segment?.value(f + 1, c + 1, s + 1, r) ?? '', text)
              })
            })
          })
        })
      },
    )
  })

  it('never let a text become structure, even without an escape character or in a small character set', () => {
    const sets = ['us-ascii', '8859/1', '8859/5', 'UTF-8', 'GB18030', 'BIG-5', 'ISO IR87', 'KS X 1001'].map((name) => {
      const charset = charsetNamed(name)
      assert.ok(charset, name)
      return charset
    })
    tryCases(
      casesOf({ daily: 25_000, long: 2_500_000 }),
      (choose) => ({
        delimiters: choose(2) === 0 ? anyDelimiters(choose) : withoutEscape(choose),
        charset: oneOf(choose, sets),
        text: hostileValue(choose),
      }),
      ({ text, ...written }) => {
        const message = new MessageBuilder(written)
          .add('MSH', { 10: text })
          .add('PID', [text, [text, 'b'], 'last'])
          .add('PV1', [text])
          .message()
        assert.equal(namesIn(message), 'MSH PID PV1')
        assert.equal(message.segment('PID')?.lastField, 3)
        assert.equal(message.repetitions('PID-2').length, 1)
        assert.equal(message.get('PID-2.2'), 'b')
        assert.equal(message.get('PID-3'), 'last')
      },
    )
  })

  it('change only the place that is set', () => {
    const original = parseMessage('MSH|^~\\&|A\nPID|1||a^b~c|""|d&e\r\nZZZ')
    tryCases(
      casesOf({ daily: 5_000, long: 500_000 }),
      (choose) => ({ text: hostileValue(choose), field: 1 + choose(6), component: 1 + choose(3) }),
      ({ text, field, component }) => {
        const changed = edit(original).set(`PID-${field}.${component}`, text).message()
        assert.equal(changed.get(`PID-${field}.${component}`), text)
        assert.equal(changed.get('MSH-3'), 'A')
        assert.equal(changed.all.length, 3)
        for (let other = 1; other <= 5; other++) {
          if (other === field) continue
          assert.equal(changed.segment('PID')?.rawField(other), original.segment('PID')?.rawField(other))
        }
      },
    )
  })
})

/** Where there is no escape character, a message ends its delimiters with the usual subcomponent. */
function withoutEscape(choose: Choose) {
  const drawn = anyDelimiters(choose)
  const delimiters = { ...drawn, escape: '', subcomponent: '&', truncation: '' }
  const { field, component, repetition } = drawn
  // Each sign has one role: the one that is taken already gives way to the sign that is free now.
  if (field === '&') return { ...delimiters, field: drawn.escape }
  if (component === '&') return { ...delimiters, component: drawn.escape }
  return repetition === '&' ? { ...delimiters, repetition: drawn.escape } : delimiters
}

const readers = [
  types.readCnn,
  types.readCq,
  types.readCwe,
  types.readCx,
  types.readEip,
  types.readNdl,
  types.readNm,
  types.readNr,
  types.readPl,
  types.readRange,
  types.readSi,
  types.readSn,
  types.readTime,
  types.readTimestamp,
  types.readXad,
  types.readXcn,
  types.readXon,
  types.readXpn,
  types.readXtn,
]

/** Each part by three of the readers, from the one on whose turn it is: all of them see all kinds of parts in time. */
function readEverything(message: Message | undefined, turn: number): void {
  let next = turn
  for (const segment of message?.all ?? []) {
    const { lastField } = segment
    for (let field = 1; field <= lastField; field++) {
      for (const part of segment.repetitions(field))
        for (let read = 0; read < 3; read++) readers[next++ % readers.length]?.(part)
    }
  }
}

describe('any bytes', { timeout }, () => {
  it('are read or refused, never thrown at, and always get an answer that can be read', () => {
    const failure = faultOf(new Error('x'))
    const answered = new Set<string>()
    const wanted = () => ({ accept: 'NE', application: 'AL' }) as const
    const holdAnswer = (bytes: Buffer, refused: Hl7Fault | undefined) => {
      const answer = failureAnswer({ bytes, failure: refused ?? failure, wanted }, deps)
      assert.equal(answer && namesIn(parseMessage(answer)), 'MSH MSA ERR')
    }
    tryCases(
      casesOf({ daily: 90_000, long: 1_900_000, night: 9_000_000 }),
      (choose) => ({ input: anyBytes(choose), turn: choose(readers.length) }),
      ({ input, turn }) => {
        const { messages } = splitBatch(input)
        assert.ok(messages.reduce((sum, { length }) => sum + length, 0) <= input.length)
        const { message, refused } = tryParseMessage(input)
        assert.equal(message === undefined, refused !== undefined)
        assert.equal(message?.bytes ?? input, input)
        assert.equal(message && edit(message).text(), message?.text)
        readEverything(message, turn)
        const reason = reasonOf(message ?? refused?.header, refused)
        if (answered.has(reason)) return
        holdAnswer(input, refused)
        // Millions of them would not fit into memory.
        if (answered.size > 100_000) answered.clear()
        answered.add(reason)
      },
    )
  })

  /** What an answer is made from: the header, where there is one, and the issue. The same again would show nothing. */
  function reasonOf(header: Message | undefined, refused: Hl7Fault | undefined): string {
    return `${header?.charset.name} ${header?.segment('MSH')?.raw} ${JSON.stringify(refused?.issue)}`
  }

  it('in a header reach the answer without becoming structure there', () => {
    tryCases(
      casesOf({ daily: 10_000, long: 200_000, night: 1_000_000 }),
      (choose) => ({ controlId: hostileValue(choose), application: hostileValue(choose) }),
      ({ controlId, application }) => {
        const request = new MessageBuilder()
          .add('MSH', { 3: application, 4: [application, application], 9: ['ADT', 'A01'], 10: controlId, 12: '2.5.1' })
          .message()
        const answer = acknowledge(request, { code: 'AA', text: controlId }, deps)
        assert.equal(namesIn(answer), 'MSH MSA')
        for (const path of ['MSA-2', 'MSA-3'] as const) assert.equal(answer.get(path) ?? '', controlId)
        for (const path of ['MSH-5', 'MSH-6.2'] as const) assert.equal(answer.get(path) ?? '', application)
      },
    )
  })
})
