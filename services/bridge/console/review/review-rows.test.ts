import { expect, it } from 'vitest'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import type { PatientReview } from '../../../../ports/patient-index/patient-reviews.ts'
import { goldenTag } from '../../../../ports/patient-index/golden-link.ts'
import { likenesses, pairOf } from './review-rows.ts'

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

const review: PatientReview = {
  ...{ id: '0190', goldenId: 'g1', candidateGoldenId: 'g2', candidatePatientId: 'p2', score: 0.9 },
  ...{ grade: 'probable', comparisons: [] },
}
const record = (id: string, golden?: string): Patient => ({
  ...{ resourceType: 'Patient', id },
  ...(golden === undefined ? {} : { link: [{ type: 'refer', other: { reference: `Patient/${golden}` } }] }),
})
const golden: Patient = { resourceType: 'Patient', id: 'g1', meta: { tag: [goldenTag] } }

it.each([
  ['both referring to their golden records', [golden, record('p1', 'g1'), record('p2', 'g2')], ['p1', 'p2'], false],
  ['an ordinary Patient that is its own', [record('g1'), record('p2', 'g2')], ['g1', 'p2'], false],
  ['another one of the same person', [record('p1', 'g1'), record('p3', 'g2')], ['p1', 'p3'], false],
  ['the candidate, not another one', [record('p1', 'g1'), record('p3', 'g2'), record('p2', 'g2')], ['p1', 'p2'], false],
  ['no record of the first', [golden, record('p2', 'g2')], ['–', 'p2'], true],
  ['a candidate that is somebody else by now', [record('p1', 'g1'), record('p2', 'g1')], ['p1', '–'], true],
])('pairs %s', (_what, found, ids, isHalf) => {
  const pair = pairOf(review, found)
  const row = pair.rows.find(({ label }) => label === 'Record')
  expect([row?.one, row?.other, pair.isHalf]).toEqual([...ids, isHalf])
})
