import { describe, expect, it } from 'vitest'
import { dataQualityHints, type DoseToCheck } from './hints.ts'
import { atcSystem, cvxSystem, icd11System } from './vaccine-codes.ts'

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

  // What WHO's guidelines list as live and is given by injection or through the nose.
  it.each([
    [atcSystem, 'J07BA03 J07BB03 J07BD01 J07BD51 J07BD52 J07BD53 J07BD54 J07BE01 J07BJ01 J07BJ51 J07BK01 J07BL01'],
    [atcSystem, 'J07BK02 J07BX04 J07BD J07BE J07BJ J07BL'],
    [icd11System, 'XM0NS8 XM21H2 XM2340 XM3418 XM3B09 XM47S0 XM4AJ8 XM5V64 XM8L15 XM8TF3 XM9439 XM9PS9'],
    [cvxSystem, '03 04 05 06 07 21 37 38 56 94 111 121 149 183 184'],
  ])('with a live vaccine of %s two weeks before one against mumps: each of %s', (vaccineSystem, codes) => {
    const close = codes.split(' ').flatMap((vaccineCode) => {
      const before = dose('a', '2025-10-20', { vaccineSystem, vaccineCode })
      return kinds(before, dose('b', '2025-11-03', { vaccineSystem: atcSystem, vaccineCode: 'J07BE01' }))
    })
    expect(close).toEqual(codes.split(' ').map(() => 'live-too-close b'))
  })

  it('with a code of its own that stands before a known one', () => {
    const beside = {
      vaccineSystem: 'urn:our:vaccines',
      vaccineCode: 'MR',
      alsoCoded: [{ system: atcSystem, code: 'J07BD53' }],
    }
    expect(kinds(dose('a', '2025-10-20', beside), live('b', '184', '2025-11-03'))).toEqual(['live-too-close b'])
  })

  it('with a live vaccine by mouth, or one that is not live, two weeks before a live one', () => {
    const measles = dose('b', '2025-11-03', { vaccineCode: '05' })
    for (const vaccineCode of ['J07AP01', 'J07BF02', 'J07BH01', 'J07BK03']) {
      expect(kinds(dose('a', '2025-10-20', { vaccineSystem: atcSystem, vaccineCode }), measles)).toEqual([])
    }
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
