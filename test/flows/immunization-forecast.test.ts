import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { AppVisitor } from '../../services/immunization/testing/app-visitor.ts'

let corridor: TestCorridor

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'immunization'] })
})
afterAll(() => corridor?.[Symbol.asyncDispose]())

interface Searchset {
  readonly entry?: readonly { readonly resource: Readonly<Record<string, unknown>> }[]
}

const fhir = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${corridor.url('fhir')}/${path}`, {
    method,
    headers: {
      authorization: await corridor.bearerFor({ scope: 'system/*.cruds', roles: ['SYSTEM'] }),
      'content-type': 'application/fhir+json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Searchset
}

const forecastsOf = async (patient: string) =>
  (await fhir('GET', `ImmunizationRecommendation?patient=Patient/${patient}`)).entry?.map(({ resource }) => resource) ??
  []

/** Somebody whose record has a birth date and nothing else. */
const newborn = (id: string) => ({
  ...{ resourceType: 'Patient', id, gender: 'female', birthDate: '2026-01-05' },
  name: [{ family: 'Njoroge', given: ['Wanjiru'] }],
})

describe('the forecast for somebody who has none in the store', () => {
  it('is written once, marked, when a clinician looks; and again when it has changed', async () => {
    await fhir('PUT', 'Patient/newborn-1', newborn('newborn-1'))
    const clinician = new AppVisitor(corridor)
    await clinician.launch('newborn-1')
    const shown = await clinician.json<readonly Record<string, unknown>[]>('/api/recommendations')
    expect(shown.length).toBeGreaterThan(5)
    expect(shown.every(({ calculated }) => calculated === true)).toBe(true)
    const [first, ...more] = await forecastsOf('newborn-1')
    expect(more).toEqual([])
    expect(first).toMatchObject({
      meta: { tag: [{ system: 'urn:corridor:forecast', code: 'calculated' }], versionId: '1' },
      authority: { display: expect.stringContaining('calculated') as string },
    })
    expect(shown[0]?.['fhirId']).toBe(first?.['id'])

    await clinician.launch('newborn-1')
    await clinician.get('/dashboard')
    expect((await forecastsOf('newborn-1'))[0]).toMatchObject({ meta: { versionId: '1' } })

    await fhir('PUT', 'Immunization/newborn-1-bcg', {
      ...{ resourceType: 'Immunization', id: 'newborn-1-bcg', status: 'completed' },
      ...{ patient: { reference: 'Patient/newborn-1' }, occurrenceDateTime: '2026-01-06' },
      vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '19', display: 'BCG' }] },
    })
    await clinician.launch('newborn-1')
    await clinician.get('/dashboard')
    const changed = await forecastsOf('newborn-1')
    expect(changed).toHaveLength(1)
    expect(changed[0]).toMatchObject({ id: first?.['id'], meta: { versionId: '2' } })

    await clinician.launch('newborn-1')
    await clinician.get('/dashboard')
    expect((await forecastsOf('newborn-1'))[0]).toMatchObject({ meta: { versionId: '2' } })
  })

  it('is the same in each of those that a merge has brought together', async () => {
    const [own] = await forecastsOf('newborn-1')
    const { id: _id, ...rest } = own ?? {}
    // As it was for a record without a dose, and now names the survivor.
    const said = [{ forecastStatus: { coding: [{ code: 'overdue' }] }, vaccineCode: [{ text: 'BCG' }] }]
    const moved = { ...rest, id: 'moved', identifier: [{ system: 'urn:x', value: 'newborn-2' }], recommendation: said }
    await fhir('PUT', 'ImmunizationRecommendation/moved', moved)
    const clinician = new AppVisitor(corridor)
    await clinician.launch('newborn-1')
    await clinician.get('/dashboard')
    const found = await forecastsOf('newborn-1')
    expect(found.map(({ recommendation }) => recommendation)).toEqual([
      own?.['recommendation'],
      own?.['recommendation'],
    ])
    expect(found.flatMap(({ identifier }) => identifier)).toContainEqual({ system: 'urn:x', value: 'newborn-2' })
  })

  it('gives way as soon as somebody has recommended something', async () => {
    await fhir('PUT', 'ImmunizationRecommendation/by-a-clinician', {
      ...{ resourceType: 'ImmunizationRecommendation', id: 'by-a-clinician', date: '2026-02-01' },
      patient: { reference: 'Patient/newborn-1' },
      recommendation: [
        {
          vaccineCode: [{ coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '08', display: 'Hepatitis B' }] }],
          forecastStatus: { coding: [{ code: 'due' }] },
        },
      ],
    })
    const clinician = new AppVisitor(corridor)
    await clinician.launch('newborn-1')
    const shown = await clinician.json<readonly Record<string, unknown>[]>('/api/recommendations')
    expect(shown.map(({ vaccineName, calculated }) => [vaccineName, calculated])).toEqual([['Hepatitis B', false]])
  })
})

describe('a patient', () => {
  it('starts the app by themselves and sees their own record', async () => {
    const patient = new AppVisitor(corridor)
    await patient.signIn('patient')
    const iss = encodeURIComponent(corridor.url('fhir'))
    const answer = await patient.follow(await patient.get(`/launch?iss=${iss}`))
    expect(answer.status).toBe(200)
    expect(await patient.json('/api/session')).toMatchObject({
      ...{ patientId: 'amina-diallo', clinicianName: 'Amina Diallo' },
    })
  })
})
