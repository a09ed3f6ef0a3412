import { describe, expect, it } from 'vitest'
import { loadDefinitions } from '../../packages/fhir/definitions.ts'
import type { Resource } from '../../packages/fhir/r4.ts'
import { silentLog } from '../../packages/log/log.ts'
import { ownDocuments } from './own-documents.ts'

it('a document of the record that was merged into the patient’s is theirs, before the store has caught up with it', async () => {
  const found = [
    { resourceType: 'DiagnosticReport', id: 'd1', subject: { reference: 'Patient/old' } },
    { resourceType: 'DiagnosticReport', id: 'd2', subject: { reference: 'Patient/new' } },
    { resourceType: 'DiagnosticReport', id: 'd3', subject: { reference: 'Patient/other' } },
  ]
  // Sound: whoever searches here searches for these.
  const searchAll = async <T extends Resource>() => found as Resource[] as T[]
  // Each of its pages holds one, however many are asked for.
  const search = async <T extends Resource>() => (await searchAll<T>()).slice(0, 1)
  const store = { search, searchAll }
  const fhirUrl = 'http://localhost/fhir'
  const check = ownDocuments({ store, fhirUrl, definitions: await loadDefinitions(), log: silentLog })
  const supportingInfo = ['d1', 'd2', 'd3'].map((id) => `DiagnosticReport/${id}`)
  const outcomes = async (formerIds: readonly string[]) => {
    const checks = await check({ patientId: 'Patient/new', formerIds, supportingInfo }, new AbortController().signal)
    return checks.map(({ outcome }) => outcome)
  }
  expect(await outcomes([])).toEqual(['REFUSED', 'PERMITTED', 'REFUSED'])
  expect(await outcomes(['Patient/old'])).toEqual(['PERMITTED', 'PERMITTED', 'REFUSED'])
})

describe('a document that is about somebody', () => {
  const other = { reference: 'Patient/other' }
  const own = { reference: 'Patient/p' }
  const letter = (id: string, subject: object) => ({ resourceType: 'DocumentReference', id, subject })
  const composed = (id: string, type: string, ...resources: object[]) => ({
    ...{ resourceType: 'Bundle', id, type },
    entry: resources.map((resource) => ({ resource })),
  })
  const composition = (subject: object) => ({ resourceType: 'Composition', subject })
  const scan = { resourceType: 'Binary', contentType: 'application/pdf' }
  const kept = [
    letter('other', other),
    letter('own', own),
    { ...scan, id: 'other', securityContext: other },
    { ...scan, id: 'own', securityContext: own },
    { ...scan, id: 'nobodys' },
    composed('other', 'document', composition(other), { resourceType: 'Patient', id: 'p' }),
    composed('own', 'document', composition(own)),
    composed('nobodys', 'document', composition({})),
    composed('mixed', 'collection', composition(own), letter('x', other)),
    { resourceType: 'Task', id: 'other', for: other },
    { resourceType: 'Contract', id: 'shared', subject: [own, other] },
    { resourceType: 'Questionnaire', id: 'form' },
  ]
  const store = {
    // Sound: whoever searches here searches for ids of one type.
    searchAll: async <T extends Resource>(type: string, { _id }: Readonly<Record<string, string>>) => {
      const found = kept.filter(({ resourceType, id }) => resourceType === type && _id?.split(',').includes(id))
      return found as Resource[] as T[]
    },
  }

  it.each([
    ['Bundle/other', 'REFUSED'],
    ['Bundle/own', 'PERMITTED'],
    ['Bundle/nobodys', 'REFUSED'],
    ['Bundle/mixed', 'REFUSED'],
    ['Binary/other', 'REFUSED'],
    ['Binary/own', 'PERMITTED'],
    ['Binary/nobodys', 'REFUSED'],
    ['Task/other', 'REFUSED'],
    ['Contract/shared', 'REFUSED'],
    ['Questionnaire/form', 'PERMITTED'],
    ['https://fhir.example.org/fhir/DocumentReference/other', 'REFUSED'],
    ['https://FHIR.example.org/fhir/DocumentReference/other', 'REFUSED'],
    ['https://fhir.example.org:443/fhir/DocumentReference/other', 'REFUSED'],
    ['https://fhir.example.org./fhir/DocumentReference/other', 'REFUSED'],
    ['https://fhir.example.org//fhir//DocumentReference/other', 'REFUSED'],
    ['https://fhir.example.org/%2Ffhir/DocumentReference/own', 'PERMITTED'],
    ['https://fhir.example.org/fhir/DocumentReference/other#page-2', 'REFUSED'],
    ['https://FHIR.example.org/fhir/DocumentReference/own/_history/3', 'PERMITTED'],
    ['https://fhir.example.org/fhir/DocumentReference?_id=other', 'REFUSED'],
    ['https://fhir.example.org/fhir/Patient/p/$everything', 'REFUSED'],
    ['https://fhir.example.org/%66hir/DocumentReference/other', 'REFUSED'],
    ['https://fhir.example.org/%66hir/DocumentReference/%6fwn', 'PERMITTED'],
    ['https://fhir.example.org/fhir%2FDocumentReference/other', 'REFUSED'],
    ['https://fhir.example.org/x%2F..%2Ffhir/DocumentReference/other', 'REFUSED'],
    ['https://fhir.example.org/%zzfhir/DocumentReference/other', 'REFUSED'],
    ['https://elsewhere.example.org/%zz', undefined],
    ['https://fhir.example.org/fhirs/DocumentReference/other', undefined],
    ['https://elsewhere.example.org/fhir/DocumentReference/other', undefined],
  ])('is known by it: %s is %s', async (reference, outcome) => {
    const fhirUrl = 'https://fhir.example.org/fhir'
    const check = ownDocuments({ store, fhirUrl, definitions: await loadDefinitions(), log: silentLog })
    const checks = await check({ patientId: 'Patient/p', supportingInfo: [reference] }, new AbortController().signal)
    expect(checks).toEqual(outcome === undefined ? [] : [{ reference, outcome }])
  })
})
