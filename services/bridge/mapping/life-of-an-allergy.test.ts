import { describe, expect, it } from 'vitest'
import type { AllergyIntolerance } from '../../../packages/fhir/r4.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { segment } from './testing/segment.ts'
import { SmallStore } from './testing/small-store.ts'

function allergyAfter(...segments: readonly string[]): AllergyIntolerance | undefined {
  const store = new SmallStore()
  for (const told of segments) {
    const header = 'MSH|^~\\&|PAS|CENTRAL|||20260304091500+0400||ADT^A31|1|P|2.5.1'
    const mapping = mapInPasses([header, 'EVN||20260304091500+0400', 'PID|1||4711^^^CENTRAL^MR', told].join('\r'))
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    store.apply(mapping)
  }
  return store.ofType<AllergyIntolerance>('AllergyIntolerance')[0]
}

describe.each(['AL1', 'IAM'])('an allergy of %s', (name) => {
  const told = (severity: string) => `${name}|1|DA|PCN^Penicillin^L|${severity}|Rash`

  it.each([
    ['SV', 'high'],
    ['MO', undefined],
    ['MI', 'low'],
    ['U', 'unable-to-assess'],
    ['', 'high'],
    ['ZZ', 'high'],
  ])('that was severe and is then told as "%s" has the criticality %s', (severity, criticality) => {
    expect(allergyAfter(told('SV'), told(severity))?.criticality).toBe(criticality)
  })

  it('that was deleted and is told again holds again', () => {
    const deleted = 'IAM|1|DA|PCN^Penicillin^L|||D'
    expect(statusesAfter(told('SV'), deleted)).toEqual(['entered-in-error', undefined])
    expect(statusesAfter(told('SV'), deleted, told('SV'))).toEqual(['unconfirmed', 'active'])
  })
})

describe('the onset of an allergy', () => {
  const told = (date: string, text: string) =>
    segment('IAM', { 1: '1', 2: 'DA', 3: 'PCN^Penicillin^L', 11: date, 12: text })
  const onset = (...segments: readonly string[]) =>
    Object.entries(allergyAfter(...segments) ?? {}).flatMap(([name, value]) =>
      /onset/.test(name) ? [name, value] : [],
    )

  it.each([
    ['a text', [told('', 'as a child')], ['onsetString', 'as a child']],
    ['a date beside a text', [told('2010', 'as a child')], ['onsetDateTime', '2010']],
    ['a text after a date', [told('2010', ''), told('""', 'as a child')], ['onsetString', 'as a child']],
    ['a date after a text', [told('', 'as a child'), told('2010', '')], ['onsetDateTime', '2010']],
    ['a text beside a date that cannot be read', [told('2010-13', 'as a child')], ['onsetString', 'as a child']],
    ['a text after such a date', [told('2010-13', ''), told('', 'as a child')], ['onsetString', 'as a child']],
    ['nothing after a text', [told('', 'as a child'), told('', '""')], []],
  ])('is %s', (_what, segments, expected) => {
    expect(onset(...segments)).toEqual(expected)
  })
})

it('an allergy that was confirmed and is told again stays confirmed', () => {
  const confirmed = `IAM|1|DA|PCN^Penicillin^L|SV||A${'|'.repeat(17 - 6)}C`
  expect(statusesAfter(confirmed, 'AL1|1|DA|PCN^Penicillin^L')).toEqual(['confirmed', 'active'])
})

function statusesAfter(...segments: readonly string[]) {
  const { verificationStatus, clinicalStatus } = allergyAfter(...segments) ?? {}
  return [verificationStatus, clinicalStatus].map((status) => status?.coding?.[0]?.code)
}
