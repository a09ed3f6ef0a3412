import { describe, expect, it } from 'vitest'
import { patientSearches } from './patient-searches.ts'

describe('what somebody types to find a patient', () => {
  it.each([
    ['diallo', [['diallo']]],
    ['  diallo ', [['diallo']]],
    ['Amina Diallo', [['Amina Diallo'], ['Amina', 'Diallo']]],
    ['Diallo,Amina', [['Diallo Amina'], ['Diallo', 'Amina']]],
    [' Diallo ,  Amina ', [['Diallo Amina'], ['Diallo', 'Amina']]],
    ['Jan van der Berg', [['Jan van der Berg'], ['Jan', 'van', 'der', 'Berg'], ['Jan', 'van der Berg']]],
    ['van der Berg, Jan', [['van der Berg Jan'], ['van', 'der', 'Berg', 'Jan'], ['van der Berg', 'Jan']]],
    ['', []],
    [' , ,', []],
    ['´', []],
    ['Amina ´ Diallo', [['Amina Diallo'], ['Amina', 'Diallo']]],
  ])('%j is looked for by name as %j', (typed, names) => {
    expect(patientSearches(typed)).toEqual(names.map((name) => ({ name })))
  })

  it('is an identifier as well where it has a digit', () => {
    expect(patientSearches(' MRN-12 ')).toEqual([{ name: ['MRN-12'] }, { identifier: 'MRN-12' }])
  })

  it.each([
    ['1988-07-09', [{ birthdate: '1988-07-09' }]],
    ['Diallo 1988', [{ name: ['Diallo'], birthdate: '1988' }]],
    [
      'Diallo, Amina 1988-07',
      [
        { name: ['Diallo Amina'], birthdate: '1988-07' },
        { name: ['Diallo', 'Amina'], birthdate: '1988-07' },
      ],
    ],
    ['1988-02-30', []],
    ['1988-7-9', []],
    ['MRN-1988', []],
    ['3000', []],
  ])('has a day of birth in it, or a part of one: %j', (typed, searches) => {
    expect(patientSearches(typed).filter((search) => 'birthdate' in search)).toEqual(searches)
  })

  it('has no more words than a search is asked about', () => {
    const countsOf = (typed: string) => patientSearches(typed).map(({ name = [] }) => name.length)
    expect(countsOf('a,'.repeat(50))).toEqual([1, 8])
    expect(countsOf('a b '.repeat(50))).toEqual([1, 8, 2])
  })
})
