import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { amara, leastDraft, referralApi, type CallApi } from '../testing/referral-api.ts'

let corridor: TestCorridor
let call: CallApi
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'referral'] })
  call = referralApi(corridor)
  await Promise.all([
    put({ ...letter, id: 'amina-letter', subject: { reference: 'Patient/amina-diallo' } }),
    put({ ...letter, id: 'kofi-letter', subject: { reference: 'Patient/kofi-mensah' } }),
    put({
      ...{ ...letter, id: 'kofi-letter-by-amina', subject: { reference: 'Patient/kofi-mensah' } },
      author: [{ reference: 'Patient/amina-diallo' }],
    }),
    put({ ...letter, id: 'nobodys-letter' }),
    put({ ...observation, id: 'kofi-pulse', subject: { reference: 'Patient/kofi-mensah' } }),
    put({ ...observation, id: 'amina-pulse', subject: { reference: 'Patient/amina-diallo' } }),
    put({ resourceType: 'Questionnaire', id: 'a-form', status: 'active' }),
  ])
})
afterAll(() => corridor[Symbol.asyncDispose]())

const letter = { resourceType: 'DocumentReference', status: 'current', content: [{ attachment: { title: 'Letter' } }] }
const observation = { resourceType: 'Observation', status: 'final', code: { text: 'Pulse' } }

const notOf = (...references: string[]) =>
  `Not of this patient, and therefore not to be sent along: ${references.join(', ')}.`

describe('a referral that takes documents along', () => {
  it.each<[string, string[]]>([
    ['the patient’s own', ['DocumentReference/amina-letter', 'Observation/amina-pulse']],
    ['a version of one of them', ['DocumentReference/amina-letter/_history/1']],
    ['the patient', ['Patient/amina-diallo']],
    ['what is about no patient', ['Questionnaire/a-form', 'Organization/central-hospital']],
    ['what the store does not have', ['DocumentReference/yet-to-come']],
    ['what lies elsewhere', ['https://letters.example.org/fhir/DocumentReference/kofi-letter']],
  ])('is sent with %s', async (_what, supportingInfo) => {
    expect(await sendingOf(supportingInfo)).toEqual([200, 'ACTIVE', undefined])
  })

  it.each<[string, string[], string]>([
    ['another patient’s', ['DocumentReference/kofi-letter'], notOf('DocumentReference/kofi-letter')],
    [
      'a version of another’s',
      ['DocumentReference/kofi-letter/_history/1'],
      notOf('DocumentReference/kofi-letter/_history/1'),
    ],
    [
      'another’s that the patient has only written',
      ['DocumentReference/kofi-letter-by-amina'],
      notOf('DocumentReference/kofi-letter-by-amina'),
    ],
    ['another patient', ['Patient/kofi-mensah'], notOf('Patient/kofi-mensah')],
    ['one that names nobody', ['DocumentReference/nobodys-letter'], notOf('DocumentReference/nobodys-letter')],
    [
      'several of another among the own ones',
      ['DocumentReference/amina-letter', 'DocumentReference/kofi-letter', 'Observation/kofi-pulse'],
      notOf('DocumentReference/kofi-letter', 'Observation/kofi-pulse'),
    ],
  ])('stays a draft with %s', async (_what, supportingInfo, message) => {
    expect(await sendingOf(supportingInfo)).toEqual([422, 'CONSENT_GATE_FAILED', message])
  })

  it('is known by the whole address, too', async () => {
    const reference = `${corridor.url('fhir')}/DocumentReference/kofi-letter`
    expect(await sendingOf([reference])).toEqual([422, 'CONSENT_GATE_FAILED', notOf(reference)])
  })

  it('is told beforehand what would be refused', async () => {
    const id = await draftWith(['DocumentReference/kofi-letter', 'DocumentReference/amina-letter'])
    expect((await call(`GET /api/referrals/${id}/gate`, amara)).body).toMatchObject({
      passes: false,
      documents: [
        { reference: 'DocumentReference/kofi-letter', outcome: 'REFUSED' },
        { reference: 'DocumentReference/amina-letter', outcome: 'PERMITTED' },
      ],
    })
  })

  it('is looked at again when another facility is asked', async () => {
    await put({ ...letter, id: 'moved-letter', subject: { reference: 'Patient/amina-diallo' } })
    const id = await draftWith(['DocumentReference/moved-letter'])
    await call(`POST /api/referrals/${id}/send`, amara)
    const { body: tasks } = await call<{ id: number }[]>(`GET /api/referrals/${id}/tasks`, amara)
    await call(`PATCH /api/referrals/${id}/tasks/${tasks[0]?.id}`, amara, { status: 'CANCELLED' })
    await put({ ...letter, id: 'moved-letter', subject: { reference: 'Patient/kofi-mensah' } })
    const { status, body } = await call(`POST /api/referrals/${id}/reroute`, amara, {
      receivingFacilityClientId: 'far-clinic',
    })
    expect([status, body.message]).toEqual([422, notOf('DocumentReference/moved-letter')])
  })
})

describe('while the FHIR store is away', () => {
  it('no document of it is sent, and what takes none along is', async () => {
    await using alone = await testCorridor({
      ...{ services: ['auth', 'consent', 'referral'], apart: true },
      settings: { 'fhir.url': `http://127.0.0.1:${await freePort()}/fhir`, 'referral.fhirProjection': 'false' },
    })
    const ask = referralApi(alone)
    const sent = async (supportingInfo: string[]) => {
      const { body } = await ask('POST /api/referrals', amara, { ...leastDraft, supportingInfo })
      const answer = await ask(`POST /api/referrals/${body.id}/send`, amara)
      return [answer.status, answer.body.message]
    }
    expect(await sent(['DocumentReference/amina-letter'])).toEqual([
      422,
      'Whether these are of this patient could not be verified: DocumentReference/amina-letter.',
    ])
    expect(await sent([])).toEqual([200, undefined])
  })
})

async function draftWith(supportingInfo: string[]): Promise<number> {
  return (await call('POST /api/referrals', amara, { ...leastDraft, supportingInfo })).body.id
}

async function sendingOf(supportingInfo: string[]) {
  const id = await draftWith(supportingInfo)
  const { status, body } = await call(`POST /api/referrals/${id}/send`, amara)
  const { body: after } = await call(`GET /api/referrals/${id}`, amara)
  expect(after.status).toBe(status === 200 ? 'ACTIVE' : 'DRAFT')
  return [status, status === 200 ? body.status : body.code, body.message]
}

async function put(resource: { readonly resourceType: string; readonly id: string; readonly [more: string]: unknown }) {
  const answer = await fetch(`${corridor.url('fhir')}/${resource.resourceType}/${resource.id}`, {
    method: 'PUT',
    headers: { authorization: await corridor.bearerFor({ role: 'SYSTEM' }), 'content-type': 'application/fhir+json' },
    body: JSON.stringify(resource),
  })
  expect(answer.ok, await answer.text()).toBe(true)
}
