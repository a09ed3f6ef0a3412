import { describe, expect, it } from 'vitest'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { blockingKeys } from './blocking-keys.ts'
import { bitsOfNamesAlone, comparePeople } from './compare/compare.ts'
import { uncounted } from './name-frequency.ts'
import { personOf } from './person.ts'

const patient = (rest: Partial<Patient>): Patient => ({ resourceType: 'Patient', ...rest })
const typed = (code: string) => ({ coding: [{ code }] })

describe('what a Patient says about who it is', () => {
  it.each([
    [
      { family: "O'Brien-Müller", given: ['José', 'María'] },
      { family: 'obrien muller', given: 'jose maria' },
    ],
    [{ text: 'Amina Diallo' }, { family: 'diallo', given: 'amina' }],
    [{ text: 'Diallo, Amina' }, { family: 'diallo', given: 'amina' }],
    [{ family: 'الأمين' }, { family: 'الامين', given: '' }],
  ])('the name %j is compared as %j', (name, expected) => {
    expect(personOf(patient({ name: [name] })).names).toEqual([expected])
  })

  it.each([
    [{ family: 'UNKNOWN', given: ['Unknown'] }],
    [{ family: 'Doe', given: ['John'] }],
    [{ family: 'Diallo', given: ['Baby Boy'] }],
    [{ family: 'Inconnue' }],
    [{ family: 'مجهول' }],
    [{ family: 'XXX', given: ['XXX'] }],
    [{ family: 'Doe', given: ['Jane 2'] }],
    [{ family: 'Trauma', given: ['Foxtrot'] }],
    [{ family: 'Unidentified Male', given: ['12'] }],
    [{ family: 'Diallo', given: ['Boy A'] }],
    [{ family: 'Diallo', given: ['Girl 2'] }],
    [{ family: 'Diallo', given: ['BabyboyB'] }],
    [{ family: 'Diallo', given: ['BG Mary'] }],
    [{ family: 'Diallo', given: ['Mary BB'] }],
    [{ family: 'Diallo', given: ['Son of Mary'] }],
    [{ family: 'Diallo', given: ['B/O Mary'] }],
    [{ family: 'Diallo', given: ['Mary Baby'] }],
    [{ family: 'Diallo', given: ['Nouveau-né'] }],
  ])('the name %j means unknown', (name) => {
    expect(personOf(patient({ name: [name] }))).toMatchObject({ isUnnamed: true, names: [] })
  })

  it('names that only look like it are names', () => {
    for (const family of ['Na', 'Doe', 'Nobody', 'Knowles', 'Boyd', 'Babych', 'Sonny', 'Unkel']) {
      expect(personOf(patient({ name: [{ family, given: ['Jin'] }] })).isUnnamed).toBe(false)
    }
  })

  it('whoever is said to be unknown is unnamed, whatever the name', () => {
    const name = [{ family: 'Diallo', given: ['Amina'] }]
    const [url, other] = ['https://corridor.example/StructureDefinition/identity-unknown', 'https://other.example/x']
    const said = (one: string, valueBoolean: boolean) =>
      personOf(patient({ name, extension: [{ url: one, valueBoolean }] })).isUnnamed
    expect([said(url, true), said(url, false), said(other, true)]).toEqual([true, false, false])
    expect(personOf(patient({ name: [{ use: 'anonymous', ...name[0] }] })).isUnnamed).toBe(true)
  })

  it('a name that was a placeholder says nothing any more where the real one stands beside it', () => {
    const name = [
      { use: 'official' as const, family: 'Diallo', given: ['Amina'] },
      { family: 'Doe', given: ['Jane'] },
    ]
    expect(personOf(patient({ name }))).toMatchObject({
      isUnnamed: false,
      names: [{ family: 'diallo', given: 'amina' }],
    })
  })

  it.each([
    ['1984-03-12', '1984-03-12'],
    ['1984-03', '1984-03'],
    ['1984-01-01', '1984'],
    ['1900-01-01', undefined],
    [undefined, undefined],
  ])('the birth date %s is compared as %s', (birthDate, expected) => {
    expect(personOf(patient(birthDate === undefined ? {} : { birthDate })).birthDate).toBe(expected)
  })

  it('national numbers are told from those of hospitals, and empty ones are left out', () => {
    const person = personOf(
      patient({
        identifier: [
          { type: typed('NNKEN'), system: 'urn:ken', value: '12 345-678' },
          { type: typed('MR'), system: 'urn:central', value: 'MR1' },
          { type: typed('SS'), system: 'urn:ssn', value: '000-00-0000' },
          { value: 'without system' },
          { use: 'old', system: 'urn:central', value: 'MR0' },
        ],
      }),
    )
    expect(person).toMatchObject({ nationalIds: ['urn:ken|12345678'], recordIds: ['urn:central|MR1'] })
  })

  it.each(['999-99-9999', '1111111111', 'UNKNOWN'])('%s is the national number of nobody', (value) => {
    const said = { system: 'urn:ssn', value }
    const identifier = [{ ...said, type: typed('SS') }, said]
    expect(personOf(patient({ identifier }))).toMatchObject({ nationalIds: [], recordIds: [] })
  })

  it('numbers of hospitals are told apart by what stands between their digits', () => {
    const recordIds = (value: string) =>
      personOf(patient({ identifier: [{ type: typed('MR'), system: 'urn:clinic', value }] })).recordIds
    expect([recordIds('12/3'), recordIds('1/23'), recordIds(' 123 '), recordIds('0/0')]).toEqual([
      ...[['urn:clinic|12/3'], ['urn:clinic|1/23'], ['urn:clinic|123']],
      [],
    ])
  })

  it.each(['SB', 'MA', 'PPN', 'DL', 'SVNR'])('a number of type %s may be that of a relative', (code) => {
    const person = personOf(patient({ identifier: [{ type: typed(code), system: 'urn:office', value: 'F 7781' }] }))
    expect(person).toMatchObject({ nationalIds: [], recordIds: [], personalIds: ['urn:office|f7781'], sharedIds: [] })
    expect(blockingKeys(person)).toEqual(['i|urn:office|f7781'])
  })

  it.each([undefined, 'MR', 'MRN', 'MRT', 'PI', 'PN', 'PT', 'PE', 'U'])('a number of type %s is one record', (code) => {
    const type = code === undefined ? {} : { type: typed(code) }
    const person = personOf(patient({ identifier: [{ ...type, system: 'urn:central', value: 'F 7781' }] }))
    expect(person).toMatchObject({ nationalIds: [], recordIds: ['urn:central|F 7781'], personalIds: [] })
  })

  it.each(['AN', 'GN', 'MB', 'MC', 'SN', 'VN', 'EN'])('a number of type %s may be that of a whole family', (code) => {
    const person = personOf(patient({ identifier: [{ type: typed(code), system: 'urn:insurer', value: 'F-7781' }] }))
    expect(person).toMatchObject({ nationalIds: [], recordIds: [], sharedIds: ['urn:insurer|F-7781'] })
    expect(blockingKeys(person)).toEqual([])
  })

  it('a national number that is there without its type as well is no number of a hospital', () => {
    const identifier = [
      { type: typed('NI'), system: 'urn:ken', value: '12-34' },
      { system: 'urn:ken', value: '1234' },
    ]
    expect(personOf(patient({ identifier }))).toMatchObject({ nationalIds: ['urn:ken|1234'], recordIds: [] })
  })

  it('a phone is its last nine digits', () => {
    const telecom = ['+254 712 345 678', '0712-345-678', '000000000', '112'].map((value) => ({
      system: 'phone' as const,
      value,
    }))
    expect(personOf(patient({ telecom })).phones).toEqual(['712345678'])
  })
})

describe('of what a Patient says without end', () => {
  const many = (count: number) => Array.from({ length: count }, (_, number) => `${1_000_000 + number}`)

  it('the first fifty of each kind count, and all numbers of hospitals', () => {
    const person = personOf(
      patient({
        name: many(51).map((family) => ({ family })),
        telecom: many(51).map((value) => ({ system: 'phone', value })),
        address: many(51).map((postalCode) => ({ postalCode })),
        identifier: many(20_000).flatMap((value) => [
          { system: 'urn:ken', value, type: typed('NI') },
          { system: 'urn:ken', value, type: typed('MR') },
          { system: 'urn:mr', value, type: typed('MR') },
        ]),
      }),
    )
    const { names, phones, postcodes, nationalIds, recordIds } = person
    expect([names, phones, postcodes, nationalIds].map(({ length }) => length)).toEqual([50, 50, 50, 50])
    expect(recordIds).toHaveLength(20_000)
  })

  it('two hundred signs of a name count', () => {
    const nameOf = (length: number) =>
      personOf(patient({ name: [{ family: 'Diallo'.repeat(50).slice(0, length) }] })).names
    expect(nameOf(201)).toEqual(nameOf(200))
    expect(nameOf(199)).not.toEqual(nameOf(200))
  })

  it('a story in the place of a name is compared', () => {
    const told = personOf(patient({ name: [{ family: 'ab '.repeat(150_000), given: ['Amina'] }] }))
    const other = personOf(patient({ name: [{ family: 'ab '.repeat(149_999), given: ['Amina'] }] }))
    expect(comparePeople(told, other, uncounted).map(({ agreement }) => agreement)).toEqual(['agrees', 'agrees'])
    expect(bitsOfNamesAlone(told, uncounted)).toBeGreaterThan(0)
  })
})

describe('blocking keys', () => {
  it('of swapped names and of a part of a name are shared', () => {
    const keys = (family: string, given: string) =>
      blockingKeys(personOf(patient({ name: [{ family, given: [given] }] })))
    expect(keys('Amina', 'Diallo')).toEqual(keys('Diallo', 'Amina'))
    expect(keys('Garcia Lopez', 'Ana')).toEqual(expect.arrayContaining(keys('Lopez', 'Ana')))
  })

  it.each([
    ['nothing', {}],
    ['a family name alone', { name: [{ family: 'Diallo' }] }],
    ['sex and a year', { gender: 'female', birthDate: '1984' }],
  ] as const)('are not to be had from %s', (_, rest) => {
    expect(blockingKeys(personOf(patient(rest as Partial<Patient>)))).toEqual([])
  })
})
