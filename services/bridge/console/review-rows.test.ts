import { expect, it } from 'vitest'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { likenesses } from './review-rows.ts'

const known: Patient = {
  ...{ resourceType: 'Patient', id: 'p1', gender: 'female', birthDate: '1984-03-17' },
  name: [{ family: 'Ouédraogo', given: ['Awa'] }],
  telecom: [{ system: 'phone', value: '0700' }],
}

it('says of each fact whether both records agree, differ, or only one of them knows', () => {
  const other: Patient = {
    ...known,
    id: 'p2',
    name: [{ family: 'OUEDRAOGO', given: ['Awa'] }],
    birthDate: '1984-03-18',
  }
  delete other.telecom
  expect(likenesses(known, other).map(({ label, is }) => [label, is])).toEqual([
    ['Name', 'agrees'],
    ['Born', 'differs'],
    ['Sex', 'agrees'],
    ['Phone', 'unknown'],
    ['Record', 'aside'],
  ])
})

it('shows the one record when the other cannot be read', () => {
  expect(likenesses(known, undefined)[0]).toEqual({ label: 'Name', one: 'Awa Ouédraogo', other: '–', is: 'unknown' })
})
