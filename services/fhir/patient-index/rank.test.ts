import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../packages/clock/ids.ts'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { bitsOfNamesAlone, comparePeople } from './compare/compare.ts'
import { population } from './evaluation/population.ts'
import { evenChance, probabilityOf } from './grade.ts'
import { nameFrequency, uncountable } from './name-frequency.ts'
import { fullBirthDate, personOf, type Person } from './person.ts'
import { rank } from './rank.ts'

const frequency = nameFrequency(
  [
    { kind: 'family', name: 'ali', count: 4_000 },
    { kind: 'given', name: 'omar', count: 2_000 },
    { kind: 'family', name: 'diallo', count: 200 },
    { kind: 'given', name: 'amina', count: 200 },
  ],
  100_000,
)
const nationalId = (value: string) => ({ type: { coding: [{ code: 'NI' }] }, system: 'urn:nid', value })

const amina: Patient = {
  resourceType: 'Patient',
  id: 'amina',
  identifier: [nationalId('19840312001')],
  name: [{ family: 'Diallo', given: ['Amina'] }],
  gender: 'female',
  birthDate: '1984-03-12',
  telecom: [{ system: 'phone', value: '+221 77 123 45 67' }],
  address: [{ postalCode: '10200' }],
}
const { identifier: _, ...withoutId } = amina

function gradeOf(asked: Patient, known: readonly Patient[] = [amina], isTruncated = false, names = frequency) {
  const candidates = known.map((patient) => ({
    patientId: patient.id ?? '',
    goldenId: patient.link?.[0]?.other.reference?.slice('Patient/'.length) ?? patient.id ?? '',
    person: personOf(patient),
  }))
  return rank(personOf(asked), candidates, { frequency: names, isTruncated })[0]?.grade ?? 'none'
}

it('nobody is certain while nothing could be counted, and whoever would be is likely still', () => {
  const grades = [amina, withoutId].map((asked) => gradeOf(asked, [amina], false, uncountable))
  expect(grades).toEqual(['probable', 'probable'])
})

describe('one known patient is graded', () => {
  it.each<[string, Patient, string]>([
    ['the same in everything', amina, 'certain'],
    ['the same without the national id', withoutId, 'certain'],
    ['accents, case and hyphens apart', { ...withoutId, name: [{ family: 'DIALLO', given: ['Amína'] }] }, 'certain'],
    ['names swapped', { ...withoutId, name: [{ family: 'Amina', given: ['Diallo'] }] }, 'certain'],
    ['a maiden name with the national id', { ...amina, name: [{ family: 'Sow', given: ['Amina'] }] }, 'certain'],
    ['day and month swapped, with the national id', { ...amina, birthDate: '1984-12-03' }, 'certain'],
    ['a twin', { ...withoutId, name: [{ family: 'Diallo', given: ['Ramatoulaye'] }] }, 'probable'],
    ['a daughter of the same name', { ...withoutId, birthDate: '2010-07-30' }, 'probable'],
    ['another national id', { ...amina, identifier: [nationalId('77777777771')] }, 'probable'],
    [
      'a newborn under the national id of the mother',
      { ...amina, birthDate: '2026-01-30', name: [{ family: 'Diallo', given: ['Khady'] }] },
      'probable',
    ],
    ['a namesake', { resourceType: 'Patient', name: [{ family: 'Diallo', given: ['Amina'] }] }, 'possible'],
    ['a birth date alone', { resourceType: 'Patient', birthDate: '1984-03-12' }, 'none'],
    ['a stranger', { ...withoutId, name: [{ family: 'Li', given: ['Wei'] }], telecom: [], address: [] }, 'none'],
    ['the same but unnamed', { ...amina, name: [{ family: 'Unknown' }] }, 'probable'],
  ])('%s: %s', (_name, asked, expected) => {
    expect(gradeOf(asked)).toBe(expected)
  })

  const numbered = (code: string | undefined, value: string): Patient => ({
    ...withoutId,
    identifier: [{ ...(code && { type: { coding: [{ code }] } }), system: 'urn:office', value }],
    telecom: [],
  })
  const married = (patient: Patient): Patient => ({ ...patient, name: [{ family: 'Sow', given: ['Amina'] }] })
  const child = (patient: Patient): Patient => ({
    ...patient,
    ...{ name: [{ family: 'Diallo', given: ['Khady'] }], birthDate: '2026-01-30' },
  })

  it.each<[string, string, Patient, Patient]>([
    ['with one passport and another family name', 'certain', numbered('PPN', 'A-1'), married(numbered('PPN', 'A1'))],
    ['with a benefit’s number that one calls national', 'certain', numbered('SB', '12'), married(numbered('NI', '12'))],
    [
      'with a benefit’s number that was taken for a record’s',
      'certain',
      numbered(undefined, '12'),
      married(numbered('SB', '12')),
    ],
    ['with another passport', 'certain', numbered('PPN', 'A1'), numbered('PPN', 'B2')],
    ['with another national number', 'probable', numbered('NI', '111'), numbered('NI', '222')],
    ['who is a child under the number of a parent', 'none', numbered('SB', '12'), child(numbered('SB', '12'))],
  ])('somebody %s: %s', (_name, expected, known, asked) => {
    expect(gradeOf(asked, [known])).toBe(expected)
  })

  it('not certain when more records share a key than were looked at', () => {
    expect(gradeOf(amina, [amina], true)).toBe('probable')
  })

  it('less by a common name than by a rare one', () => {
    const called = (family: string): Patient => ({
      resourceType: 'Patient',
      id: family,
      name: [{ family, given: ['Omar'] }],
    })
    expect(gradeOf(called('Ali'), [called('Ali')])).toBe('none')
    expect(gradeOf(called('Xochitl'), [called('Xochitl')])).toBe('possible')
  })
})

describe('somebody who is written in another way is recognised for certain', () => {
  const maria: Patient = { ...withoutId, name: [{ family: 'Kowalska', given: ['Anna', 'Maria'] }] }
  const called = (family: string, ...given: string[]): Patient => ({ ...maria, name: [{ family, given }] })

  it.each<[string, Patient]>([
    ['with one given name more', called('Kowalska', 'Anna', 'Maria', 'Teresa')],
    ['with one given name less', called('Kowalska', 'Anna')],
    ['by the second given name', called('Kowalska', 'Maria')],
    ['with given names in another order', called('Kowalska', 'Maria', 'Anna')],
    ['with an initial', called('Kowalska', 'Anna', 'M.')],
    ['with the initial of a name in between left out', called('Kowalska', 'Anna', 'T.', 'Maria')],
    ['with a slip in one of two given names', called('Kowalska', 'Anna', 'Marja')],
    ['with a hyphen', called('Kowalska', 'Anna-Maria')],
    ['in one word', called('Kowalska', 'Annamaria')],
    ['with a second family name', called('Kowalska-Nowak', 'Anna', 'Maria')],
    ['with the name of another husband', called('Nowak', 'Anna', 'Maria')],
    ['without a sex', { ...maria, gender: 'unknown' }],
  ])('%s', (_name, asked) => {
    expect(gradeOf(asked, [maria])).toBe('certain')
    expect(gradeOf(maria, [{ ...asked, id: 'maria' }])).toBe('certain')
  })
})

describe('people of one family are never one for certain', () => {
  const born = (birthDate: string, gender: 'female' | 'male', ...given: string[]): Patient => ({
    ...withoutId,
    ...{ birthDate, gender, name: [{ family: 'Diallo', given }] },
  })
  const numbered = (code: string, patient: Patient): Patient => ({
    ...patient,
    identifier: [{ ...nationalId('19840312001'), type: { coding: [{ code }] } }],
  })
  const boy = born('2019-05-06', 'male', 'Muhammad', 'Hasan')

  it.each<[string, Patient, Patient]>([
    ['twins who share a given name', boy, born('2019-05-06', 'male', 'Muhammad', 'Husayn')],
    [
      'twins who share the second',
      born('2019-05-06', 'female', 'Anna', 'Maria'),
      born('2019-05-06', 'female', 'Eva', 'Maria'),
    ],
    [
      'twins of whom one has a shorter name, too',
      { ...boy, name: [{ family: 'Diallo', given: ['Muhammad'] }, ...(boy.name ?? [])] },
      born('2019-05-06', 'male', 'Muhammad', 'Husayn'),
    ],
    ['twins with a hyphen', born('2019-05-06', 'female', 'Anne-Marie'), born('2019-05-06', 'female', 'Anne-Sophie')],
    [
      'twins whose common name is written in two ways',
      born('2019-05-06', 'male', 'Mohamed', 'Hasan'),
      born('2019-05-06', 'male', 'Mohammed', 'Husayn'),
    ],
    ['twins whose names are alike', born('2019-05-06', 'female', 'Amina'), born('2019-05-06', 'female', 'Amira')],
    ['twins of whom one has an initial', born('2019-05-06', 'male', 'Hasan'), born('2019-05-06', 'male', 'H.')],
    ['twins of whom one is not named yet', born('2019-05-06', 'male', 'Hasan'), born('2019-05-06', 'male')],
    ['twins by initials', born('2019-05-06', 'female', 'Anna', 'M.'), born('2019-05-06', 'female', 'Anna', 'K.')],
    [
      "twins under the mother's number",
      numbered('NI', born('2026-01-30', 'female', 'Awa')),
      numbered('NI', born('2026-01-30', 'male', 'Ibrahima')),
    ],
    [
      'twins under one card who share a given name',
      numbered('HC', boy),
      numbered('HC', born('2019-05-06', 'male', 'Muhammad', 'Husayn')),
    ],
    [
      'twins under one card whose names are alike',
      numbered('HC', born('2019-05-06', 'female', 'Maria')),
      numbered('HC', born('2019-05-06', 'male', 'Mario')),
    ],
    [
      'father and son of one name under the card of the household',
      numbered('HC', born('1984-03-12', 'male', 'Omar')),
      numbered('HC', born('2012-11-25', 'male', 'Omar')),
    ],
    [
      'husband and wife under the card of the household',
      numbered('HC', born('1984-03-12', 'male', 'Omar')),
      numbered('HC', born('1986-07-02', 'female', 'Amina')),
    ],
  ])('%s', (_name, one, other) => {
    expect(gradeOf(one, [{ ...other, id: 'other' }])).toBe('probable')
    expect(gradeOf(other, [{ ...one, id: 'one' }])).toBe('probable')
  })

  it('but a slip in the given name does not keep a person from their number', () => {
    expect(gradeOf({ ...amina, name: [{ family: 'Diallo', given: ['Aminah'] }] })).toBe('certain')
    expect(gradeOf({ ...amina, name: [{ family: 'Diallo' }] })).toBe('certain')
  })

  it('but a sex that was written down wrongly does not keep a person from their number', () => {
    expect(gradeOf({ ...amina, gender: 'male' })).toBe('certain')
    expect(gradeOf({ ...amina, gender: 'male', birthDate: '1984-12-03' })).toBe('probable')
  })
})

describe('several known patients', () => {
  it('who are different people make nobody certain', () => {
    expect(gradeOf(withoutId, [withoutId, { ...withoutId, id: 'other' }])).toBe('probable')
  })

  it('who are records of one person do not compete', () => {
    const linked: Patient = {
      ...amina,
      id: 'other',
      link: [{ type: 'refer', other: { reference: 'Patient/amina' } }],
    }
    expect(gradeOf(withoutId, [withoutId, linked])).toBe('certain')
  })
})

describe('names that could change nothing', () => {
  it('are not compared, and nobody who is at least possible is missed', () => {
    const random = seededRandom(7)
    const people = population(400, random).map(personOf)
    const bitsMin = Math.log2(frequency.population)
    const pairs = people.flatMap((one, at) => people.slice(at + 1, at + 60).map((other) => [one, other] as const))
    const left = pairs.filter(([one, other]) => comparePeople(one, other, frequency, bitsMin).length === 0)
    expect(left.length).toBeGreaterThan(pairs.length / 2)
    const likeliest = left.map(([one, other]) =>
      probabilityOf(comparePeople(one, { ...other, names: one.names }, frequency), frequency.population),
    )
    expect(Math.max(...likeliest)).toBeLessThan(0.5)
  })
})

describe('common names in common with somebody who was born on wholly another day', () => {
  it('are never enough, so that such people need not be brought', () => {
    const random = seededRandom(11)
    const parts = (date = '') => date.split('-')
    const isWhollyAnother = (one: Person, other: Person) =>
      parts(one.birthDate).every((part, at) => part !== parts(other.birthDate)[at])
    const people = population(600, random)
      .map(personOf)
      .map((person, at) => ({ ...person, names: [{ family: 'ali', given: at % 2 === 0 ? 'omar' : 'amina' }] }))
    const pairs = people.flatMap((one, at) => people.slice(at + 1, at + 60).map((other) => [one, other] as const))
    const alike = pairs
      .filter(([one, other]) => isWhollyAnother(one, other) && fullBirthDate(one) !== undefined)
      .filter(([one, other]) => fullBirthDate(other) !== undefined && !one.phones.some((p) => other.phones.includes(p)))
    expect(alike.length).toBeGreaterThan(10_000)
    const bits = alike.map(([one, other]) => ({
      most: bitsOfNamesAlone(one, frequency),
      found: comparePeople(one, { ...other, postcodes: one.postcodes }, frequency).reduce((sum, c) => sum + c.bits, 0),
    }))
    expect(bits.filter(({ most, found }) => found > most)).toEqual([])
    expect(Math.max(...bits.map(({ most }) => most))).toBeLessThan(evenChance(frequency))
  })
})
