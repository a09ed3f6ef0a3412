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
    // A letter to Unicode, and nothing to a search.
    ['ʼ', []],
    ["' – ’", []],
    ['Amina ´ Diallo', [['Amina Diallo'], ['Amina', 'Diallo']]],
  ])('%j is looked for by name as %j', (typed, names) => {
    expect(patientSearches(typed)).toEqual(names.map((name) => ({ name })))
  })

  it.each([
    ["O'Brien", [["O'Brien,O’Brien,OBrien,O Brien"]]],
    ['O’Brien, Ann', [["O’Brien Ann,O'Brien Ann,OBrien Ann,O Brien Ann"], ["O’Brien,O'Brien,OBrien,O Brien", 'Ann']]],
    ['Smith-Jones', [['Smith-Jones,Smith Jones,SmithJones']]],
    ['Smith\u2011Jones', [['Smith\u2011Jones,Smith-Jones,Smith Jones,SmithJones']]],
    [
      "D'Arcy-O´Neill",
      [["D'Arcy-O´Neill,D'Arcy-O'Neill,D’Arcy-O’Neill,DArcy-ONeill,DArcy ONeill,DArcyONeill,D Arcy O Neill"]],
    ],
    ["'-", []],
  ])('%j is looked for by name however such signs are written: %j', (typed, names) => {
    expect(patientSearches(typed)).toEqual(names.map((name) => ({ name })))
  })

  it('is an identifier as well where it has a digit', () => {
    expect(patientSearches(' MRN-12 ')).toEqual([{ name: ['MRN-12'] }, { identifier: 'MRN-12,MRN12,MRN 12' }])
  })

  it.each([
    ['12345678', ['12345678']],
    ['1234 5678', ['1234 5678,12345678,1234-5678']],
    ['1234-5678', ['1234-5678,12345678,1234 5678']],
    ['123.456.789-09', ['123.456.789-09,12345678909,123 456 789 09,123-456-789-09']],
    ['1234\u20115678', ['1234\u20115678,12345678,1234 5678,1234-5678']],
    ['MRN12', ['MRN12,MRN 12,MRN-12']],
    ['12345678Z', ['12345678Z,12345678 Z,12345678-Z']],
    ['mrn-12', ['mrn-12,mrn12,mrn 12,MRN-12,MRN12,MRN 12']],
    ['urn:oid:1.2.3|1234', ['urn:oid:1.2.3|1234']],
    ['|1234', ['|1234']],
    ['urn:oid:1.2.3|12,34\\', [String.raw`urn:oid:1.2.3|12\,34\\`]],
    // What a scanner reads from a wristband.
    ['1234|DOE|F', [String.raw`1234\|DOE\|F,1234DOEF,1234 DOE F,1234-DOE-F`]],
    ['12,345', [String.raw`12\,345,12345,12 345,12-345`]],
    ['...7', ['...7,7']],
    ['12 34\\', [String.raw`12 34\\,1234\\,12-34\\`]],
  ])('is a number however it is grouped: %j', (typed, identifiers) => {
    expect(patientSearches(typed).flatMap(({ identifier = [] }) => identifier)).toEqual(identifiers)
  })

  it.each([
    ['Smith 12345678', [{ name: ['Smith'], identifier: '12345678' }]],
    ['12345678, Smith', [{ name: ['Smith'], identifier: '12345678' }]],
    ['1234 5678 Smith', [{ name: ['Smith'], identifier: '1234 5678,12345678,1234-5678' }]],
    [
      'Smith, Ann 1234-5678',
      [
        { name: ['Smith Ann'], identifier: '1234-5678,12345678,1234 5678' },
        { name: ['Smith', 'Ann'], identifier: '1234-5678,12345678,1234 5678' },
      ],
    ],
    [
      'Smith 1988-07-09 12345678',
      [
        { name: ['Smith'], identifier: '1988-07-09 12345678,1988070912345678,1988 07 09 12345678,1988-07-09-12345678' },
        { name: ['Smith'], identifier: '12345678', birthdate: '1988-07-09' },
      ],
    ],
    ['1988-07-09 12345678', [{ identifier: '12345678', birthdate: '1988-07-09' }]],
  ])('is a number beside a name or a day of birth: %j', (typed, searches) => {
    const isBeside = (search: object) => 'identifier' in search && ('name' in search || 'birthdate' in search)
    expect(patientSearches(typed).filter(isBeside)).toEqual(searches)
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

  it.each([
    ['9 Jul 1988', [{ birthdate: '1988-07-09' }]],
    ['09 july 1988', [{ birthdate: '1988-07-09' }]],
    ['9. Sept. 1988', [{ birthdate: '1988-09-09' }]],
    ['July 9th, 1988', [{ birthdate: '1988-07-09' }]],
    ['9.7.1988', [{ birthdate: '1988-07-09' }]],
    ['13/07/1988', [{ birthdate: '1988-07-13' }]],
    ['07/13/1988', [{ birthdate: '1988-07-13' }]],
    ['9/7/1988', [{ birthdate: '1988-07-09,1988-09-07' }]],
    ['7-7-1988', [{ birthdate: '1988-07-07' }]],
    ['Diallo 9 Jul 1988', [{ name: ['Diallo'], birthdate: '1988-07-09' }]],
    [
      'Diallo, Amina, 09/07/1988 MRN12',
      [
        { name: ['Diallo Amina'], identifier: 'MRN12,MRN 12,MRN-12', birthdate: '1988-07-09,1988-09-07' },
        { name: ['Diallo', 'Amina'], identifier: 'MRN12,MRN 12,MRN-12', birthdate: '1988-07-09,1988-09-07' },
        { name: ['Diallo Amina MRN12'], birthdate: '1988-07-09,1988-09-07' },
        { name: ['Diallo', 'Amina', 'MRN12'], birthdate: '1988-07-09,1988-09-07' },
      ],
    ],
    // A year, as before: these may be names.
    ['June 1988', [{ name: ['June'], birthdate: '1988' }]],
    ['Maryam 1988', [{ name: ['Maryam'], birthdate: '1988' }]],
    ['31.2.1988', []],
    ['31/31/1988', []],
    ['19.7.88', []],
    ['1.9.7.1988', []],
  ])('has a day of birth as pages and papers write it: %j', (typed, searches) => {
    expect(patientSearches(typed).filter((search) => 'birthdate' in search)).toEqual(searches)
  })

  it('has no more words than a search is asked about', () => {
    const countsOf = (typed: string) => patientSearches(typed).map(({ name = [] }) => name.length)
    expect(countsOf('a,'.repeat(50))).toEqual([1, 8])
    expect(countsOf('a b '.repeat(50))).toEqual([1, 8, 2])
  })
})
