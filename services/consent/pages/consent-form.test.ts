import { expect, it } from 'vitest'
import { anyPurpose, emptyForm, everybody, readForm, type ConsentFormValues } from './consent-form.ts'

const types = new Set(['Observation', 'Condition'])
const read = (given: Partial<ConsentFormValues>) =>
  readForm({ ...emptyForm, actor: 'Organization/central', ...given }, 'Patient/p1', { organisation: undefined }, types)

it('reads a form by the rules of the API', () => {
  const given = read({ types: ['Observation', 'Condition'], deed: 'cruds', periodEnd: '2027-03-04', note: ' ' })
  expect(given).toMatchObject({
    is: 'read',
    terms: {
      patientId: 'Patient/p1',
      actorReference: 'Organization/central',
      resourceClasses: ['Observation', 'Condition'],
      scopeValues: ['patient/Observation.cruds', 'patient/Condition.cruds'],
      permittedOperations: 'cruds',
      purposes: ['TREAT'],
      periodStart: null,
      periodEnd: '2027-03-04',
      note: null,
    },
  })
})

it('says everything with an empty list, and everybody and any purpose with nothing', () => {
  const given = read({ actor: everybody, extent: 'all', types: ['Observation'], purpose: anyPurpose })
  expect(given).toMatchObject({
    is: 'read',
    terms: { actorReference: null, resourceClasses: [], scopeValues: ['patient/*.rs'], purposes: [] },
  })
})

it.each<[string, Partial<ConsentFormValues>, string]>([
  ['no kind of data', {}, 'types'],
  ['an unknown kind', { types: ['Secret'] }, 'types'],
  ['nobody', { actor: '', types: ['Observation'] }, 'actor'],
  ['somebody who is no actor', { actor: 'Patient/p1', types: ['Observation'] }, 'actor'],
  ['a day that is none', { types: ['Observation'], periodStart: '2026-02-30' }, 'periodStart'],
  [
    'an end before the start',
    { types: ['Observation'], periodStart: '2026-02-02', periodEnd: '2026-02-01' },
    'periodEnd',
  ],
  ['a note of which a part would be lost', { types: ['Observation'], note: 'x'.repeat(2_049) }, 'note'],
  ['too long a basis', { types: ['Observation'], regulatoryBasis: 'x'.repeat(513) }, 'regulatoryBasis'],
])('points at the field of a form with %s', (_what, given, path) => {
  const answer = read(given)
  expect(answer.is === 'wrong' ? answer.fields.map((field) => field.path) : answer.is).toContain(path)
})

it('names everything that is wrong at once', () => {
  const paths = (given: Partial<ConsentFormValues>) => {
    const answer = read(given)
    return answer.is === 'wrong' ? answer.fields.map(({ path }) => path).toSorted() : answer.is
  }
  expect(paths({ actor: '', periodStart: '2026-02-02', periodEnd: '2026-02-01' })).toEqual([
    'actor',
    'periodEnd',
    'types',
  ])
  expect(paths({ actor: '', periodStart: '2026-02-30', periodEnd: '2026-02-01' })).toEqual([
    'actor',
    'periodStart',
    'types',
  ])
})
