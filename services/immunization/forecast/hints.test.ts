import { describe, expect, it } from 'vitest'
import { dataQualityHints, type DoseToCheck } from './hints.ts'
import { cvxSystem } from './vaccine-codes.ts'

const birth = '2025-01-15'
const today = '2025-11-15'

const dose = (fhirId: string, occurrenceDate: string | null, members: Partial<DoseToCheck> = {}): DoseToCheck => ({
  fhirId,
  vaccineCode: '198',
  vaccineSystem: cvxSystem,
  vaccineName: 'Pentavalent',
  occurrenceDate,
  lotNumber: 'L1',
  ...members,
})

const month = { occurrencePrecision: 'month' } as const
const year = { occurrencePrecision: 'year' } as const
const live = (fhirId: string, vaccineCode: string, day: string) => dose(fhirId, day, { vaccineCode })

const kinds = (...doses: DoseToCheck[]) =>
  dataQualityHints(birth, doses, today).map(({ kind, fhirIds }) => `${kind} ${fhirIds.join(' ')}`)

describe('a record', () => {
  it('without faults has no hints', () => {
    expect(kinds(dose('a', '2025-02-26'), dose('b', '2025-03-26'), dose('c', '2025-04-23'))).toEqual([])
  })

  it.each([
    ['the same vaccine twice on a day', [dose('a', '2025-02-26'), dose('b', '2025-02-26')], ['duplicate-dose a b']],
    ['two doses within three weeks', [dose('a', '2025-02-26'), dose('b', '2025-03-19')], ['interval-too-short b']],
    ['a dose at five weeks', [dose('a', '2025-02-19')], ['before-minimum-age a']],
    ['a dose before birth', [dose('a', '2024-12-31')], ['before-birth a']],
    ['a dose tomorrow', [dose('a', '2025-11-16')], ['future-date a']],
    ['a dose without a date', [dose('a', null)], ['missing-date a']],
    ['a dose without a lot', [dose('a', '2025-02-26', { lotNumber: null })], ['missing-lot a']],
    ['a dose that the patient told of', [dose('a', '2025-02-26', { lotNumber: null, patientReported: true })], []],
    ['an unknown code', [dose('a', '2025-02-26', { vaccineCode: '9999' })], ['unknown-vaccine a']],
    ['a dose of the month of birth', [dose('a', '2025-01-01', { ...month, vaccineCode: '19' })], []],
    ['a dose of the year of birth', [dose('a', '2025-01-01', year)], []],
    ['a dose of a month before birth', [dose('a', '2024-12-01', month)], ['before-birth a']],
    ['a dose of this month', [dose('a', '2025-02-26'), dose('b', '2025-11-01', month)], []],
    ['a dose of next month', [dose('a', '2025-12-01', month)], ['future-date a']],
    ['two doses of one year', [dose('a', '2025-01-01', year), dose('b', '2025-01-01', year)], []],
    ['a dose of the month after another', [dose('a', '2025-02-26'), dose('b', '2025-03-01', month)], []],
    ['yellow fever and measles on a day', [live('a', '184', '2025-10-20'), live('b', '04', '2025-10-20')], []],
    [
      'yellow fever two weeks before measles',
      [live('a', '184', '2025-10-20'), live('b', '04', '2025-11-03')],
      ['live-too-close b'],
    ],
    [
      'measles a few days after a dose that was too young to count',
      [live('a', '04', '2025-10-12'), live('b', '04', '2025-10-15')],
      ['before-minimum-age a', 'live-too-close b'],
    ],
    [
      'measles twice within four weeks',
      [live('a', '05', '2025-10-20'), live('b', '05', '2025-11-03')],
      ['interval-too-short b'],
    ],
    [
      'varicella twice within four weeks',
      [live('a', '21', '2025-10-20'), live('b', '21', '2025-11-03')],
      ['live-too-close b'],
    ],
    ['yellow fever four weeks before measles', [live('a', '184', '2025-10-16'), live('b', '04', '2025-11-13')], []],
    ['a dose today', [dose('a', '2025-02-26'), dose('b', today)], []],
  ])('with %s', (_, doses, expected) => {
    expect(kinds(...doses)).toEqual(expected)
  })

  it('says what is wrong in a sentence', () => {
    const [hint] = dataQualityHints(birth, [dose('a', '2025-02-26'), dose('b', '2025-03-19')], today)
    expect(hint?.message).toBe('The dose of 2025-03-19 was given less than 4 weeks after the dose before.')
  })

  it('of a patient whose birth date is not known is checked as far as it goes', () => {
    const hints = dataQualityHints(null, [dose('a', '2024-12-31', { lotNumber: null })], today)
    expect(hints.map(({ kind }) => kind)).toEqual(['missing-lot'])
  })
})
