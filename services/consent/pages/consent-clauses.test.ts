import { expect, it } from 'vitest'
import { recordWith } from '../testing/record-fixture.ts'
import { clausesOf, dayInWords, operationsInWords } from './consent-clauses.ts'

it.each([
  ['cruds', 'read and write'],
  ['rs', 'read'],
  ['cud', 'write'],
  ['r', 'read one by one'],
  ['s', 'search for'],
  ['crs', 'read and add'],
  ['', 'do nothing with'],
])('says the operations %j as %s', (letters, words) => {
  expect(operationsInWords(letters)).toBe(words)
})

it('tells what is alike together and what differs apart', () => {
  const scopeValues = ['patient/Observation.rs', 'patient/Condition.rs', 'patient/Immunization.cruds']
  const resourceClasses = ['Observation', 'Condition', 'Immunization']
  const { deeds, purpose } = clausesOf(recordWith({ scopeValues, resourceClasses, purposes: ['TREAT', 'X-OWN'] }))
  expect(deeds).toEqual(['read results and vital signs and diagnoses and problems', 'read and write vaccinations'])
  expect(purpose).toBe('for treatment and X-OWN')
})

it('says what a record means that names nothing', () => {
  const { deeds, purpose, isConfined } = clausesOf(recordWith())
  expect([...deeds, purpose]).toEqual(['read and write everything in the record', 'for any purpose'])
  expect(isConfined).toBe(false)
})

it('tells of types that only the scopes name, and of all others, what a decision would', () => {
  const said = (...scopeValues: string[]) => clausesOf(recordWith({ scopeValues, resourceClasses: [] })).deeds
  expect(said('patient/Observation.rs', 'patient/Condition.cud')).toEqual([
    'read results and vital signs',
    'write diagnoses and problems',
    'read and write everything else in the record',
  ])
  expect(said('patient/*.rs', 'patient/Immunization.cruds')).toEqual([
    'read and write vaccinations',
    'read everything else in the record',
  ])
  expect(said('patient/Observation.rs')).toEqual(['read everything in the record'])
})

it('tells of a refusal what is refused one by one', () => {
  const refused = (resourceClasses: string[]) =>
    clausesOf(recordWith({ provisionType: 'deny', resourceClasses })).deeds.join()
  expect(refused([])).toBe('read or write anything in the record')
  expect(refused(['Immunization', 'Condition'])).toBe('read or write vaccinations or diagnoses and problems')
})

it('owns up to limits that its words leave out', () => {
  const scopeValues = ['patient/Observation.rs?category=laboratory']
  expect(clausesOf(recordWith({ scopeValues, resourceClasses: ['Observation'] })).isConfined).toBe(true)
})

it('writes a day out, whatever the zone of the server', () => {
  expect(dayInWords('2027-03-04')).toBe('4 Mar 2027')
})
