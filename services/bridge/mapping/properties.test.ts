import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { MessageBuilder, tryParseMessage } from '../../../packages/hl7/index.ts'
import { mapMessage } from './map-message.ts'
import { caseMessages } from './testing/case-files.ts'
import { testContext } from './testing/context.ts'
import { makeUnsound } from './testing/unsound.ts'
import { casesOf } from '../../../packages/testkit/extent.ts'

const messages = caseMessages()
const unsound = await makeUnsound()
const context = testContext()

/** A change that senders make: a piece lost, doubled, or replaced by signs that mean something. */
const change = fc.record({
  // Not a double: of those most are next to nothing, and every change would be at the beginning.
  at: fc.integer({ min: 0, max: 9_999 }).map((place) => place / 10_000),
  length: fc.nat(12),
  with: fc.oneof(
    fc.constantFrom(
      '',
      '|',
      '^',
      '~',
      '&',
      '\\',
      '""',
      '\n',
      '|||',
      '\\X00\\',
      '\\T\\',
      ' ',
      '  ',
      '0',
      '99999999',
      '\u0000',
    ),
    fc.string({ maxLength: 8, unit: 'binary' }),
  ),
})

function mutated(text: string, changes: readonly { at: number; length: number; with: string }[]): string {
  let result = text
  for (const { at, length, with: piece } of changes) {
    // The first nine signs say how to read the rest.
    const start = 9 + Math.floor(at * (result.length - 9))
    result = result.slice(0, start) + piece + result.slice(start + length)
  }
  return result
}

describe('any message', () => {
  it('is mapped to valid R4 or refused, however it is damaged', () => {
    let mapped = 0
    fc.assert(
      fc.property(fc.constantFrom(...messages), fc.array(change, { minLength: 1, maxLength: 6 }), (text, changes) => {
        const { message } = tryParseMessage(Buffer.from(mutated(text, changes)))
        if (message === undefined) return
        const mapping = mapMessage(message, context)
        expect(unsound(mapping)).toEqual([])
        if (mapping.refused === undefined) mapped++
      }),
      { numRuns: casesOf({ daily: 1_500, long: 30_000 }) },
    )
    // Much of what is damaged is still a message: else this would show nothing.
    expect(mapped).toBeGreaterThan(1_500 / 3)
  }, 600_000)

  it('keeps the text of PID-5 a text: it never becomes another field, repetition or segment', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 30 }), (family) => {
        fc.pre(family.trim() !== '' && family !== '""')
        const message = new MessageBuilder()
          .add('MSH', { 3: 'PAS', 4: 'CENTRAL', 7: '20260304', 9: ['ADT', 'A31'], 10: '1', 11: 'P', 12: '2.5.1' })
          .add('PID', { 3: ['1', undefined, undefined, 'CENTRAL'], 5: [family, 'Amina'], 8: 'F' })
          .message()
        const mapping = mapMessage(message, context)
        const patient = mapping.refused === undefined ? (mapping.writes[0]?.resource as Patient) : undefined
        expect(mapping.refused).toBeUndefined()
        expect(patient?.name).toEqual([{ family, given: ['Amina'], use: 'official' }])
        expect(patient?.gender).toBe('female')
      }),
      { numRuns: casesOf({ daily: 500, long: 10_000 }) },
    )
  })
})
