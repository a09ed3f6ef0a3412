import { expect, it } from 'vitest'
import type { Identifier } from '../fhir/r4.ts'
import { shownPatient } from './shown-patient.ts'

const labelOf = (type: object | undefined, system?: string) =>
  shownPatient(
    {
      resourceType: 'Patient',
      identifier: [
        { value: '17', ...(type === undefined ? {} : { type }), ...(system === undefined ? {} : { system }) },
      ],
    },
    new Date(),
  ).identifiers[0]?.label

it.each([
  ['the text of its type', { text: 'Clinic card', coding: [{ code: 'MR' }] }, undefined, 'Clinic card'],
  ['a word for its code', { coding: [{ code: 'MR', display: 'Medical record number' }] }, undefined, 'Record no.'],
  ['a word for its code', { coding: [{ code: 'NI' }] }, undefined, 'National id'],
  ['the display of a code without a word', { coding: [{ code: 'XX', display: 'Ward list' }] }, undefined, 'Ward list'],
  ['the end of its system', { coding: [{ code: 'XX' }] }, 'urn:oid:ward', 'ward'],
  ['nothing but what it is', undefined, undefined, 'Identifier'],
])('an identifier is called by %s', (_what, type, system, label) => {
  expect(labelOf(type, system)).toBe(label)
})

it('the numbers that are in use come first, and one that was given up says so', () => {
  const identifier: Identifier[] = [
    { use: 'old', type: { coding: [{ code: 'MR' }] }, value: '1' },
    { type: { coding: [{ code: 'MR' }] }, value: '2' },
    { use: 'official', type: { coding: [{ code: 'NI' }] }, value: '3' },
    { use: 'old', value: '4' },
  ]
  expect(shownPatient({ resourceType: 'Patient', identifier }, new Date()).identifiers).toEqual([
    { label: 'Record no.', value: '2' },
    { label: 'National id', value: '3' },
    { label: 'Record no. (old)', value: '1' },
  ])
})

it.each([
  ['2026-11-15', true],
  ['2026-11-16', false],
  ['2026-10', true],
  ['2026-11', false],
  ['2025', true],
  ['2027-01-01T00:00:00+01:00', false],
])('a number whose period ends on %s is told as an old one: %s', (end, isOld) => {
  const identifier: Identifier[] = [
    { type: { coding: [{ code: 'HC' }] }, value: '1', period: { start: '2020', end } },
    { type: { coding: [{ code: 'MR' }] }, value: '2' },
  ]
  const now = new Date('2026-11-16T12:00:00Z')
  const card = { label: isOld ? 'Health card (old)' : 'Health card', value: '1' }
  const record = { label: 'Record no.', value: '2' }
  expect(shownPatient({ resourceType: 'Patient', identifier }, now).identifiers).toEqual(
    isOld ? [record, card] : [card, record],
  )
})
