import { describe, expect, it } from 'vitest'
import type { Observation, ObservationReferenceRange } from '../../../packages/fhir/r4.ts'
import { observation } from '../outbound/testing/clinical-resources.ts'
import { criticalFlags } from './critical-flags.ts'
import { isCritical } from './is-critical.ts'

const flags = (mark: string, referenceRange: ObservationReferenceRange[] = []) =>
  criticalFlags({ interpretation: [{ coding: [{ code: mark }] }], referenceRange })

describe('a result is critical', () => {
  it.each([
    ['HH', ['HH', 'hh', ' HH ', '*HH*', 'HH!', '(HH)', 'CH', 'HC', 'PH', 'HP', 'H*', '*H*', '>']],
    ['LL', ['LL', '*LL*', 'CL', 'LC', 'PL', 'LP', 'L*', '<']],
    ['AA', ['AA', '*AA*', 'C', '*C*', 'A*', '!!', 'CRIT', 'Critical', 'PANIC']],
  ])('%s by each of its marks', (flag, marks) => {
    for (const mark of marks) expect(flags(mark), mark).toEqual([flag])
  })

  it.each([
    ['Critical high', 'HH'],
    ['Panic Low', 'LL'],
    ['High critical', 'HH'],
    ['CRITICAL_LOW', 'LL'],
    ['Critically abnormal', 'AA'],
  ])('by the words %s', (text, flag) => {
    expect(criticalFlags({ interpretation: [{ text }] })).toEqual([flag])
  })

  it.each([
    'H',
    'L',
    'A',
    '*H',
    '*',
    '!',
    'N',
    'HU',
    'LU',
    'POS',
    'R',
    'S',
    'I',
    '',
    '**',
    'Not critical',
    'Noncritical',
  ])('not by %j', (mark) => {
    expect([flags(mark), criticalFlags({ interpretation: [{ text: mark }] })]).toEqual([[], []])
  })

  it.each([
    ['Corrected', []],
    ['Confirmed', []],
    ['Critical', ['AA']],
    ['C', ['AA']],
  ])('by C where that does not stand for something else: %s', (display, expected) => {
    const alone = criticalFlags({ interpretation: [{ coding: [{ code: 'C' }], text: display }] })
    expect([criticalFlags({ interpretation: [{ coding: [{ code: 'C', display }] }] }), alone]).toEqual([
      expected,
      expected,
    ])
  })

  it.each<[string, ObservationReferenceRange, string[]]>([
    ['<', { high: { value: 5 } }, []],
    ['<', { low: { value: 0 }, high: { value: 14 } }, []],
    ['<', { low: { value: 3.5 }, high: { value: 5.1 } }, ['LL']],
    ['<', { low: { value: 60 } }, ['LL']],
    ['<', { text: 'negative' }, ['LL']],
    ['>', { low: { value: 60 } }, []],
    ['>', { low: { value: 3.5 }, high: { value: 5.1 } }, ['HH']],
    ['>', { high: { value: 5 } }, ['HH']],
    ['>', { text: 'negative' }, ['HH']],
    ['HH', { low: { value: 60 } }, ['HH']],
  ])('off the scale by %s with a range of %j: %j', (mark, range, expected) => {
    expect(flags(mark, [range])).toEqual(expected)
  })

  const categoryOf = (code: string) => [{ coding: [{ code }] }]
  it.each<[boolean, Partial<Omit<Observation, 'id'>>]>([
    [true, {}],
    [true, { status: 'unknown' }],
    [true, { status: 'preliminary' }],
    [true, { status: 'preliminary', category: categoryOf('imaging') }],
    [false, { status: 'preliminary', category: categoryOf('vital-signs') }],
    [false, { status: 'preliminary', category: [] }],
    [false, { status: 'registered' }],
    [false, { status: 'entered-in-error' }],
    [false, { status: 'cancelled' }],
  ])('%s by how it stands: %j', (expected, given) => {
    expect(isCritical(observation('HH', given))).toBe(expected)
  })
})
