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
