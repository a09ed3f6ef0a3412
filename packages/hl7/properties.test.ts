import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { oneOf, tryCases, type Choose } from '../testkit/cases.ts'
import { casesOf, casesTimeoutMs as timeout } from '../testkit/extent.ts'
import { acknowledge } from './acknowledge.ts'
import { edit, MessageBuilder } from './builder.ts'
import { charsetNamed } from './charset.ts'
import { repeated } from './field-value.ts'
import { parseMessage } from './parse.ts'
import { anyBytes } from './testing/any-bytes.ts'
import { answerDeps, makeHoldReading, readerCount, segmentNames } from './testing/held-reading.ts'
import { anyDelimiters, hostileValue, some } from './testing/hostile-values.ts'

// Plain assertions and made cases here: at millions of them, whatever looks at a case costs more than the case.

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
        assert.equal(segmentNames(message), 'MSH ZZZ END')
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
        assert.equal(segmentNames(message), 'MSH PID PV1')
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

describe('any bytes', { timeout }, () => {
  it('are read or refused, never thrown at, and always get an answer that can be read', () => {
    const holdReading = makeHoldReading()
    tryCases(
      casesOf({ daily: 90_000, long: 1_900_000, night: 9_000_000 }),
      (choose) => ({ input: anyBytes(choose), turn: choose(readerCount) }),
      ({ input, turn }) => assert.doesNotThrow(() => holdReading(input, turn)),
    )
  })

  it('in a header reach the answer without becoming structure there', () => {
    tryCases(
      casesOf({ daily: 10_000, long: 200_000, night: 1_000_000 }),
      (choose) => ({ controlId: hostileValue(choose), application: hostileValue(choose) }),
      ({ controlId, application }) => {
        const request = new MessageBuilder()
          .add('MSH', { 3: application, 4: [application, application], 9: ['ADT', 'A01'], 10: controlId, 12: '2.5.1' })
          .message()
        const answer = acknowledge(request, { code: 'AA', text: controlId }, answerDeps)
        assert.equal(segmentNames(answer), 'MSH MSA')
        for (const path of ['MSA-2', 'MSA-3'] as const) assert.equal(answer.get(path) ?? '', controlId)
        for (const path of ['MSH-5', 'MSH-6.2'] as const) assert.equal(answer.get(path) ?? '', application)
      },
    )
  })
})
