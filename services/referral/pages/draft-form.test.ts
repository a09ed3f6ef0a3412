import { describe, expect, it } from 'vitest'
import { assert } from '../../../packages/faults/fault.ts'
import { emptyDraft, formOf, readChange, readDraft, type DraftFormValues } from './draft-form.ts'

const read = (given: Partial<DraftFormValues>) =>
  readDraft(
    {
      ...emptyDraft('Patient/p1'),
      ...{ receivingFacilityClientId: 'lake Organization/lake', referralDisplay: ' Cardiology ', ...given },
    },
    'Practitioner/d1',
    deps,
  )
const deps = { resourceTypes: new Set(['Observation']), now: new Date('2026-03-04T10:00:00Z') }

it('reads a form by the rules of the API; what was left empty is not there', () => {
  expect(read({ reasonCodes: 'I10, chest pain,,', sharedResourceTypes: ['Observation'], clinicalNote: ' ' })).toEqual({
    is: 'read',
    draft: {
      ...{ patientId: 'Patient/p1', requesterId: 'Practitioner/d1', referralCode: null, supportingInfo: [] },
      ...{ receivingFacilityClientId: 'lake', performerId: 'Organization/lake', priority: 'ROUTINE' },
      ...{ referralDisplay: 'Cardiology', reasonCodes: ['I10', 'chest pain'], clinicalNote: null },
      ...{ sharedResourceTypes: ['Observation'], occurrenceDate: null },
    },
  })
})

it.each<[string, Partial<DraftFormValues>, string]>([
  ['nobody is asked', { receivingFacilityClientId: '' }, 'receivingFacilityClientId'],
  ['nothing is asked', { referralDisplay: '  ' }, 'referralDisplay'],
  ['too much is asked', { referralDisplay: 'x'.repeat(129) }, 'referralDisplay'],
  ['the day is none', { occurrenceDate: '2026-02-30' }, 'occurrenceDate'],
  ['the day is over', { occurrenceDate: '1999-01-01' }, 'occurrenceDate'],
  ['the day is over everywhere', { occurrenceDate: '2026-03-02' }, 'occurrenceDate'],
  ['the day is a word', { occurrenceDate: 'tomorrow' }, 'occurrenceDate'],
  ['there are too many reasons', { reasonCodes: 'x,'.repeat(21) }, 'reasonCodes'],
  ['a reason is too long', { reasonCodes: 'x'.repeat(129) }, 'reasonCodes'],
  ['the note is too long', { clinicalNote: 'x'.repeat(2_049) }, 'clinicalNote'],
  ['what is shared is nothing of FHIR', { sharedResourceTypes: ['Observation', 'Secret'] }, 'sharedResourceTypes'],
])('points at the field when %s', (_when, given, path) => {
  expect(read(given)).toMatchObject({ is: 'wrong', fields: [{ path }] })
})

it('is no draft in the name of somebody who cannot ask for one', () => {
  const values = { ...emptyDraft('Patient/p1'), receivingFacilityClientId: 'lake', referralDisplay: 'Cardiology' }
  const wrong = (requesterId: string) => readDraft(values, requesterId, deps)
  const says = { path: 'requesterId', message: 'must be a reference such as Practitioner/123' }
  for (const requesterId of ['Person/p1', 'Practitioner/a b', `Practitioner/${'x'.repeat(65)}`, 'd1'])
    expect(wrong(requesterId)).toEqual({ is: 'wrong', fields: [says] })
  expect(wrong('PractitionerRole/r1').is).toBe('read')
})

it('names everything that is wrong at once', () => {
  const wrong = read({ referralDisplay: '', clinicalNote: 'x'.repeat(2_049) })
  expect(wrong).toMatchObject({ is: 'wrong', fields: [{ path: 'referralDisplay' }, { path: 'clinicalNote' }] })
})

it.each(['2026-03-03', '2026-03-04', '2027-01-01'])('takes %s, which is not over somewhere', (occurrenceDate) => {
  expect(read({ occurrenceDate })).toMatchObject({ is: 'read', draft: { occurrenceDate } })
})

it.each([
  ['a full one', { reasonCodes: 'I10, chest pain', clinicalNote: 'Soon.', occurrenceDate: '2027-01-01' }],
  ['the least', { receivingFacilityClientId: 'lake' }],
])('writes a draft into the form as it was read from it: %s', (_which, given) => {
  const first = read({ ...given, sharedResourceTypes: ['Observation'] })
  assert(first.is === 'read', 'the draft is good')
  expect(read(formOf(first.draft))).toEqual(first)
})

describe('a draft that is changed', () => {
  const first = read({})
  assert(first.is === 'read', 'the draft is good')
  const before = { ...first.draft, referralCode: '183519002', supportingInfo: ['DocumentReference/d1'] }
  const changed = (changes: Partial<DraftFormValues>, draft = before) =>
    readChange({ ...formOf(draft), ...changes }, draft, deps)

  it('keeps what the form has no words for', () => {
    expect(changed({ clinicalNote: 'Soon.' })).toEqual({ is: 'read', draft: { ...before, clinicalNote: 'Soon.' } })
  })

  it('loses its code with the words that the code was for', () => {
    const draft = { ...before, referralDisplay: 'Dermatology', referralCode: null }
    expect(changed({ referralDisplay: 'Dermatology' })).toEqual({ is: 'read', draft })
  })

  it('keeps the reasons that nobody touched as they are, commas and all', () => {
    const reasonCodes = Array.from({ length: 20 }, (_, at) => `Chest pain, on exertion ${at}`)
    const told = { ...before, reasonCodes }
    expect(changed({ clinicalNote: 'Soon.' }, told)).toMatchObject({ draft: { reasonCodes } })
    expect(changed({ reasonCodes: 'Chest pain, cough' }, told)).toMatchObject({
      draft: { reasonCodes: ['Chest pain', 'cough'] },
    })
  })
})
