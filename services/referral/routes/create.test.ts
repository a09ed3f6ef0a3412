import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { amara, baraka, fullDraft, leastDraft, referralApi, type CallApi } from '../testing/referral-api.ts'

let corridor: TestCorridor
let call: CallApi
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'referral'], settings: { 'referral.fhirProjection': 'false' } })
  call = referralApi(corridor)
})
afterAll(() => corridor[Symbol.asyncDispose]())

describe('a new referral', () => {
  it('is a draft of the caller with every field, found at its address', async () => {
    const made = await call('POST /api/referrals', amara, { ...fullDraft, sharedResourceTypes: ['Observation'] })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`/api/referrals/${made.body.id}`)
    expect(made.body).toEqual({
      ...fullDraft,
      sharedResourceTypes: ['Observation'],
      id: expect.any(Number),
      status: 'DRAFT',
      consentVerified: false,
      authoredOn: null,
      createdBy: 'dr-amara',
      sendingOrganisationId: 'Organization/central-hospital',
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      updatedAt: expect.any(String),
      statusReason: null,
      attention: null,
      availableActions: ['send', 'revoke', 'change'],
    })
    expect((await call(`GET /api/referrals/${made.body.id}`, amara)).body).toEqual(made.body)
    expect((await call(`GET /api/referrals/${made.body.id}/tasks`, amara)).body).toEqual([])
  })

  it('needs three fields and has a default for the rest', async () => {
    const nulls = { performerId: null, priority: null, reasonCodes: null, clinicalNote: null, occurrenceDate: null }
    for (const draft of [leastDraft, { ...leastDraft, ...nulls }]) {
      const { status, body } = await call('POST /api/referrals', amara, draft)
      expect(status).toBe(201)
      expect(body).toMatchObject({
        priority: 'ROUTINE',
        reasonCodes: [],
        sharedResourceTypes: [],
        supportingInfo: [],
        clinicalNote: null,
        performerId: null,
        referralCode: null,
        occurrenceDate: null,
      })
    }
  })

  it('takes nothing from the body that is not the caller’s to say', async () => {
    const inner = {
      ...{
        id: 4711,
        status: 'ACTIVE',
        createdBy: 'dr-evil',
        consentVerified: true,
        version: 99,
        attention: 'TASK_FAILED',
      },
      ...{
        authoredOn: '2020-01-01T00:00:00Z',
        createdAt: '2020-01-01T00:00:00Z',
        sendingOrganisationId: 'Organization/evil',
      },
      ...{ sending_organisation: 'Organization/evil', openTasks: 7, heldAt: '2020-01-01T00:00:00Z' },
    }
    const { status, body } = await call('POST /api/referrals', amara, { ...leastDraft, ...inner })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 'DRAFT',
      createdBy: 'dr-amara',
      consentVerified: false,
      authoredOn: null,
      attention: null,
      sendingOrganisationId: 'Organization/central-hospital',
    })
    expect(body.id).not.toBe(4711)
  })

  const twenty = Array.from({ length: 20 }, (_, at) => `A${10 + at}`)
  const types = ['Patient', 'Observation', 'Condition', 'Procedure', 'Encounter', 'Immunization', 'Medication']
  const twentyTypes = Array.from({ length: 20 }, (_, at) => types[at % types.length] ?? '')
  const twentyDocuments = Array.from({ length: 20 }, (_, at) => `DocumentReference/d${at}`)
  it.each([
    ['20 reason codes', { reasonCodes: twenty }],
    ['20 shared types', { sharedResourceTypes: twentyTypes }],
    ['20 documents', { supportingInfo: twentyDocuments }],
    ['a note of 2048 characters', { clinicalNote: 'x'.repeat(2048) }],
    ['a note of 2048 code points outside the basic plane', { clinicalNote: '😀'.repeat(2048) }],
    ['a reason code of 128 characters', { reasonCodes: ['x'.repeat(128)] }],
    ['a client id of 128 characters', { receivingFacilityClientId: 'x'.repeat(128) }],
    ['every sign of a client id', { receivingFacilityClientId: 'Az09._~:@-' }],
    ['a role as the requester', { requesterId: 'PractitionerRole/r1' }],
    ['an absolute address as a document', { supportingInfo: ['https://other.example.org/fhir/DocumentReference/1'] }],
    ['a leap day', { occurrenceDate: '2028-02-29' }],
    ['a patient with an id of 64 characters', { patientId: `Patient/${'x'.repeat(64)}` }],
  ])('may have %s', async (_name, change) => {
    const { status, body } = await call('POST /api/referrals', amara, { ...leastDraft, ...change })
    expect(status).toBe(201)
    expect(body).toMatchObject(change)
  })

  it('keeps the written day of a time', async () => {
    const { body } = await call('POST /api/referrals', amara, {
      ...leastDraft,
      occurrenceDate: '2026-12-01T23:30:00-05:00',
    })
    expect(body).toMatchObject({ occurrenceDate: '2026-12-01' })
  })

  it.each([
    ['no patient', { patientId: undefined }, 'patientId'],
    ['no requester', { requesterId: undefined }, 'requesterId'],
    ['no receiving facility', { receivingFacilityClientId: undefined }, 'receivingFacilityClientId'],
    ['null for the patient', { patientId: null }, 'patientId'],
    ['a number for the patient', { patientId: 7 }, 'patientId'],
    ['a practitioner for the patient', { patientId: 'Practitioner/p1' }, 'patientId'],
    ['a bare id for the patient', { patientId: 'p1' }, 'patientId'],
    ['a patient for the requester', { requesterId: 'Patient/p1' }, 'requesterId'],
    ['an empty receiving facility', { receivingFacilityClientId: '' }, 'receivingFacilityClientId'],
    [
      'a receiving facility of 129 characters',
      { receivingFacilityClientId: 'x'.repeat(129) },
      'receivingFacilityClientId',
    ],
    [
      'a receiving facility that no consent can name',
      { receivingFacilityClientId: 'https://clinic.example/app' },
      'receivingFacilityClientId',
    ],
    ['a device as the performer', { performerId: 'Device/d1' }, 'performerId'],
    ['an unknown priority', { priority: 'SOON' }, 'priority'],
    ['21 reason codes', { reasonCodes: [...twenty, 'A99'] }, 'reasonCodes'],
    ['21 shared types', { sharedResourceTypes: [...twentyTypes, 'Patient'] }, 'sharedResourceTypes'],
    ['21 documents', { supportingInfo: [...twentyDocuments, 'DocumentReference/x'] }, 'supportingInfo'],
    ['a note of 2049 characters', { clinicalNote: 'x'.repeat(2049) }, 'clinicalNote'],
    ['a note of 2049 code points outside the basic plane', { clinicalNote: '😀'.repeat(2049) }, 'clinicalNote'],
    ['a blank reason code', { reasonCodes: ['  '] }, 'reasonCodes[0]'],
    ['a reason code of 129 characters', { reasonCodes: ['x'.repeat(129)] }, 'reasonCodes[0]'],
    ['a type that R4 does not have', { sharedResourceTypes: ['Patient', 'Unicorn'] }, 'sharedResourceTypes[1]'],
    ['a document that is no reference', { supportingInfo: ['a letter'] }, 'supportingInfo[0]'],
    ['a document of no type that R4 has', { supportingInfo: ['Unicorn/1'] }, 'supportingInfo[0]'],
    ['an address with a strange sign', { supportingInfo: ['https://x.example/\u0001'] }, 'supportingInfo[0]'],
    ['a client id with a strange sign', { receivingFacilityClientId: 'a\u0001' }, 'receivingFacilityClientId'],
    ['text for a list', { reasonCodes: 'I10' }, 'reasonCodes'],
    ['a day that does not exist', { occurrenceDate: '2026-02-30' }, 'occurrenceDate'],
    ['a day in words', { occurrenceDate: 'tomorrow' }, 'occurrenceDate'],
    ['a year that there was not', { occurrenceDate: '0000-01-01' }, 'occurrenceDate'],
    ['a day with something behind it', { occurrenceDate: '2026-12-01T' }, 'occurrenceDate'],
    ['a time in words', { occurrenceDate: '2026-12-01Tnoon' }, 'occurrenceDate'],
  ])('is refused with %s, and the field is named', async (_name, change, field) => {
    const { status, body } = await call<Record<string, unknown>>('POST /api/referrals', amara, {
      ...leastDraft,
      ...change,
    })
    expect([status, body['code'], body['title']]).toEqual([400, 'VALIDATION_FAILED', 'Bad Request'])
    expect(body['detail']).toContain(field)
    expect(body['message']).toBe(body['detail'])
    expect(body['errors']).toEqual(expect.arrayContaining([expect.objectContaining({ path: field })]))
    expect(body['timestamp']).toMatch(/Z$/)
  })

  it('names every wrong field at once', async () => {
    const { body } = await call('POST /api/referrals', amara, { patientId: 'x', priority: 'SOON' })
    for (const field of ['patientId', 'requesterId', 'receivingFacilityClientId', 'priority']) {
      expect(body.message).toContain(field)
    }
  })
})

it('names wrong types and wrong values of a referral at once', async () => {
  const { body } = await call<{ readonly errors: readonly { readonly path: string }[] }>('POST /api/referrals', amara, {
    ...{ ...leastDraft, priority: 'SOON', clinicalNote: 'x'.repeat(2049), occurrenceDate: '2026-02-30' },
    ...{ sharedResourceTypes: [' ', 'Unicorn'], supportingInfo: ['a letter', 'Unicorn/1', 'DocumentReference/1'] },
  })
  expect(body.errors.map(({ path }) => path).toSorted()).toEqual([
    ...['clinicalNote', 'occurrenceDate', 'priority', 'sharedResourceTypes[0]', 'sharedResourceTypes[1]'],
    ...['supportingInfo[0]', 'supportingInfo[1]'],
  ])
})

describe('my referrals', () => {
  it('are those that the caller created, newest first, by the page', async () => {
    const mine = { ...baraka, subject: 'dr-pages' }
    const ids: number[] = []
    for (let count = 0; count < 5; count++) ids.unshift((await call('POST /api/referrals', mine, leastDraft)).body.id)
    interface Page {
      readonly content: readonly { readonly id: number }[]
    }
    const first = await call<Page>('GET /api/referrals/my-referrals?size=2', mine)
    expect(first.body.content.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(first.body).toMatchObject({ totalElements: 5, totalPages: 3, number: 0, size: 2, first: true, last: false })
    const last = await call<Page>('GET /api/referrals/my-referrals?page=2&size=2', mine)
    expect(last.body.content.map(({ id }) => id)).toEqual(ids.slice(4))
    expect(last.body).toMatchObject({ last: true, numberOfElements: 1, page: { number: 2 } })
    expect((await call('GET /api/referrals/my-referrals', mine)).body).toMatchObject({ size: 20 })
    expect((await call('GET /api/referrals/my-referrals?size=201', mine)).body).toMatchObject({ size: 200 })
  })

  it.each(['page=-1', 'size=0', 'size=x', 'page=1.5'])('refuse %s', async (query) => {
    const { status, body } = await call(`GET /api/referrals/my-referrals?${query}`, amara)
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })
})
