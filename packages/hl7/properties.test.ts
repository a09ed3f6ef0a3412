import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { seededIds, seededRandom } from '../clock/ids.ts'
import { acknowledge } from './acknowledge.ts'
import { splitBatch } from './batch.ts'
import { edit, MessageBuilder } from './builder.ts'
import { charsetNamed } from './charset.ts'
import type { Delimiters } from './delimiters.ts'
import { repeated } from './field-value.ts'
import { failureAnswer } from './mllp/failure-answer.ts'
import type { Message } from './message.ts'
import { parseMessage, tryParseMessage } from './parse.ts'
import * as types from './types/index.ts'
import { isLongRun } from '../testkit/long-run.ts'
import { runs } from '../testkit/runs.ts'

// Plain assertions here: at a hundred thousand cases `expect` costs more than what it looks at.

/** A busy machine may take a minute for a hundred thousand cases. */
const timeout = isLongRun ? 1_800_000 : 120_000

const clock = new SimulatedClock()
const deps = { clock, ids: seededIds(seededRandom(1), clock) }

const punctuation = Array.from("!#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
const delimiters: fc.Arbitrary<Delimiters> = fc
  .shuffledSubarray(punctuation, { minLength: 6, maxLength: 6 })
  .map(([field = '', component = '', repetition = '', escape = '', subcomponent = '', truncation = '']) => ({
    field,
    component,
    repetition,
    escape,
    subcomponent,
    truncation,
  }))

/** Texts made to hurt: structure, frames, other segments, escapes, quotes. */
const nasty = fc.oneof(
  fc.constantFrom('""', '"', '', '\rPID|1', '\nPID|1|', '\u001c\r', '\u000bMSH|^~\\&|', '\\F\\', '\\X0D\\', '\\', '#'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...punctuation, '\r', '\n', 'P', 'I', 'D', '\u000b', '\u001c'), maxLength: 12 }),
)
// Line breaks at the very end of a message and a leading mark are not text; everything else is.
const isWellFormed = (text: string) => text.isWellFormed()
const value = nasty.filter(isWellFormed)
const namesIn = (message: Message) => message.all.map(({ name }) => name)

describe('building and reading', { timeout }, () => {
  it('are inverse for any text in any place under any delimiters', () => {
    const field = fc.array(fc.array(fc.array(value, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 3,
    })
    fc.assert(
      fc.property(delimiters, fc.array(field, { maxLength: 4 }), (characters, fields) => {
        const built = new MessageBuilder({ delimiters: characters })
          .add('MSH', { 9: ['ADT', 'A01'] })
          .add(
            'ZZZ',
            fields.map((repetitions) => repeated(...repetitions)),
          )
          .add('END', ['x'])
        const message = parseMessage(built.bytes())
        assert.deepEqual(namesIn(message), ['MSH', 'ZZZ', 'END'])
        const segment = message.segment('ZZZ')
        const found = fields.map((repetitions, f) =>
          repetitions.map((components, r) =>
            components.map((subcomponents, c) =>
              subcomponents.map((_, s) => segment?.value(f + 1, c + 1, s + 1, r) ?? ''),
            ),
          ),
        )
        assert.deepEqual(found, fields)
      }),
      runs(20_000),
    )
  })

  it('never let a text become structure, even without an escape character or in a small character set', () => {
    const sets = ['us-ascii', '8859/1', '8859/5', 'UTF-8', 'GB18030', 'BIG-5', 'ISO IR87', 'KS X 1001']
    fc.assert(
      fc.property(delimiters, fc.boolean(), fc.constantFrom(...sets), value, (characters, hasEscape, set, text) => {
        const used = hasEscape ? characters : { ...characters, escape: '', subcomponent: '&', truncation: '' }
        fc.pre(new Set(Object.values(used).filter(Boolean)).size === Object.values(used).filter(Boolean).length)
        const charset = charsetNamed(set)
        if (charset === undefined) throw new Error(set)
        const message = new MessageBuilder({ delimiters: used, charset })
          .add('MSH', { 10: text })
          .add('PID', [text, [text, 'b'], 'last'])
          .add('PV1', [text])
          .message()
        assert.deepEqual(namesIn(message), ['MSH', 'PID', 'PV1'])
        const shape = [message.segment('PID')?.lastField, message.repetitions('PID-2').length]
        assert.deepEqual([...shape, message.get('PID-2.2'), message.get('PID-3')], [3, 1, 'b', 'last'])
      }),
      runs(25_000),
    )
  })

  it('change only the place that is set', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 3 }), (text, field, component) => {
        const original = parseMessage('MSH|^~\\&|A\nPID|1||a^b~c|""|d&e\r\nZZZ')
        const changed = edit(original).set(`PID-${field}.${component}`, text).message()
        const seen = [changed.get(`PID-${field}.${component}`), changed.get('MSH-3'), changed.all.length]
        assert.deepEqual(seen, [text, 'A', 3])
        const others = [1, 2, 3, 4, 5].filter((number) => number !== field)
        const rawOf = (message: Message) => others.map((number) => message.segment('PID')?.rawField(number))
        assert.deepEqual(rawOf(changed), rawOf(original))
      }),
      runs(5_000),
    )
  })
})

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

const pieces = fc.constantFrom(
  'MSH|^~\\&|A|B|C|D|2026||ADT^A01^ADT_A01|7|P|2.5.1||||||8859/1\r',
  'MSH|^~&|',
  'MSH',
  'MSH|',
  'FHS|^~\\&',
  '\rBTS|1',
  'PID|1|\\',
  '\r',
  '\n',
  '|',
  '^',
  '\\X',
  '""',
  '\ufeff',
  '\0',
  'é',
  '\u001b$B',
  'msh#',
  '\r\nMSH|^~\\&|x',
)
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join(''), 'utf8')),
  fc.array(pieces, { maxLength: 12 }).map((parts) => Buffer.from(parts.join(''), 'latin1')),
)

function readEverything(message: Message | undefined): void {
  for (const segment of message?.all ?? []) {
    for (let field = 1; field <= segment.lastField; field++) {
      for (const part of segment.repetitions(field)) for (const read of readers) read(part)
    }
  }
}

describe('any bytes', { timeout }, () => {
  it('are read or refused, never thrown at, and always get an answer that can be read', () => {
    fc.assert(
      fc.property(bytes, (input) => {
        const { messages } = splitBatch(input)
        assert.ok(messages.reduce((sum, { length }) => sum + length, 0) <= input.length)
        const { message, refused } = tryParseMessage(input)
        assert.equal(message === undefined, refused !== undefined)
        assert.equal(message?.bytes ?? input, input)
        assert.equal(message && edit(message).text(), message?.text)
        readEverything(message)
        const answer = parseMessage(failureAnswer(input, refused ?? new Error('x'), deps))
        assert.deepEqual(namesIn(answer), ['MSH', 'MSA', 'ERR'])
      }),
      runs(90_000),
    )
  })

  it('in a header reach the answer without becoming structure there', () => {
    fc.assert(
      fc.property(value, value, (controlId, application) => {
        const request = new MessageBuilder()
          .add('MSH', { 3: application, 4: [application, application], 9: ['ADT', 'A01'], 10: controlId, 12: '2.5.1' })
          .message()
        const answer = acknowledge(request, { code: 'AA', text: controlId }, deps)
        assert.deepEqual(namesIn(answer), ['MSH', 'MSA'])
        const told = (['MSA-2', 'MSA-3', 'MSH-5', 'MSH-6.2'] as const).map((path) => answer.get(path) ?? '')
        assert.deepEqual(told, [controlId, controlId, application, application])
      }),
      runs(10_000),
    )
  })
})
