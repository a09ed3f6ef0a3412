import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  garbage,
  hang,
  pass,
  refuse,
  reset,
  status as answering,
  type FaultMode,
} from '../../../packages/testkit/fault-modes.ts'
import { amara, chidi, leastDraft, type AnyBody, type CallApi } from '../testing/referral-api.ts'
import { guardedCorridor, type GuardedCorridor } from '../testing/guarded-corridor.ts'

let guarded: GuardedCorridor
let call: CallApi
beforeAll(async () => {
  guarded = await guardedCorridor()
  call = guarded.call
})
afterEach(() => guarded.proxy.set(pass))
afterAll(() => guarded[Symbol.asyncDispose]())

interface History {
  readonly action: string
  readonly decisions: readonly object[]
}

describe('the gate, with the real consent service,', () => {
  it('opens when the patient has agreed to every type, and the history says by which consent', async () => {
    const draft = await draftFor('agreed', ['Observation', 'Condition'])
    const consentId = await permit('agreed', ['Observation', 'Condition'])
    const { status, body } = await call(`POST /api/referrals/${draft}/send`, amara)
    expect([status, body.status]).toEqual([200, 'ACTIVE'])
    const { body: history } = await call<History[]>(`GET /api/referrals/${draft}/history`, amara)
    expect(history.find(({ action }) => action === 'send')?.decisions).toEqual(
      ['Observation', 'Condition'].map((resourceType) => ({
        resourceType,
        outcome: 'PERMITTED',
        consentRecordId: consentId,
        decisionId: expect.any(String),
      })),
    )
  })

  it('counts a consent for the performer as well as one for the client', async () => {
    const draft = await draftFor('to-organisation', ['Observation'], { performerId: 'Organization/hill' })
    await permit('to-organisation', ['Observation'], 'Organization/hill')
    expect((await call(`POST /api/referrals/${draft}/send`, amara)).status).toBe(200)
  })

  it('stays closed without a consent and names every type', async () => {
    const draft = await draftFor('silent', ['Observation', 'Condition'])
    expect(await sendingOf(draft)).toEqual(
      closed('The patient has not agreed to share Observation, Condition with the receiving facility.'),
    )
  })

  it('stays closed when one of the types is refused, and names that one', async () => {
    const draft = await draftFor('partly', ['Observation', 'Condition', 'Immunization'])
    await permit('partly', ['Observation', 'Immunization'])
    expect(await sendingOf(draft)).toEqual(
      closed('The patient has not agreed to share Condition with the receiving facility.'),
    )
  })

  it.each([
    ['without a performer', {}],
    ['with another performer', { performerId: 'Organization/elsewhere' }],
  ])('stays closed when the patient has refused the organisation of the facility, %s', async (name, more) => {
    const patient = `refused-${name.replaceAll(' ', '-')}`
    const draft = await draftFor(patient, ['Observation'], more)
    const refused = { patientId: `Patient/${patient}`, actorReference: 'Organization/hill-clinic' }
    await permit(patient, ['Observation'])
    await guarded.consent({ ...refused, provisionType: 'deny', resourceClasses: ['Observation'] })
    expect(await sendingOf(draft)).toEqual(
      closed('The patient has not agreed to share Observation with the receiving facility.'),
    )
  })

  it('closes again when a consent is revoked, and opens with a new one', async () => {
    const draft = await draftFor('changing', ['Observation'])
    await guarded.revoke(await permit('changing', ['Observation']))
    expect(await sendingOf(draft)).toEqual(
      closed('The patient has not agreed to share Observation with the receiving facility.'),
    )
    await permit('changing', ['Observation'])
    expect((await call(`POST /api/referrals/${draft}/send`, amara)).status).toBe(200)
  })

  it.each<[string, FaultMode]>([
    ['cannot be reached', refuse],
    ['hangs up', reset],
    ['does not answer in three seconds', hang],
    ['answers with an error', answering(500)],
    ['is not allowed to answer', answering(403)],
    ['answers nonsense', garbage],
    ['answers something else', answering(200, '{"permitted":"true"}')],
    ['answers with a list', answering(200, '[true]')],
  ])('stays closed when the consent service %s, and opens when it is back', async (name, mode) => {
    const patient = name.replaceAll(' ', '-')
    const draft = await draftFor(patient, ['Observation', 'Condition'])
    await permit(patient, ['Observation', 'Condition'])
    await guarded.proxy.set(mode)
    expect(await sendingOf(draft)).toEqual(closed('Consent for Observation, Condition could not be verified.'))
    await guarded.proxy.set(pass)
    expect((await call(`POST /api/referrals/${draft}/send`, amara)).status).toBe(200)
  })

  it('is not even asked about a referral that is not a draft', async () => {
    const draft = await draftFor('sent-before', ['Observation'])
    await permit('sent-before', ['Observation'])
    await call(`POST /api/referrals/${draft}/send`, amara)
    await guarded.proxy.set(refuse)
    const { status, body } = await call(`POST /api/referrals/${draft}/send`, amara)
    expect([status, body.code]).toEqual([422, 'INVALID_TRANSITION'])
  })
})

describe('the preview of the gate', () => {
  it('says for each type what would happen, and changes nothing', async () => {
    const draft = await draftFor('preview', ['Observation', 'Condition'])
    const consentId = await permit('preview', ['Observation'])
    const { status, body } = await call(`GET /api/referrals/${draft}/gate`, amara)
    expect([status, body]).toEqual([
      200,
      {
        referralId: draft,
        passes: false,
        checks: [
          expect.objectContaining({ resourceType: 'Observation', outcome: 'PERMITTED', consentRecordId: consentId }),
          expect.objectContaining({
            resourceType: 'Condition',
            outcome: 'REFUSED',
            reason: expect.stringContaining('Condition'),
          }),
        ],
        documents: [],
      },
    ])
    expect((await call(`GET /api/referrals/${draft}`, amara)).body.status).toBe('DRAFT')
  })

  it('is for those who may send, and for drafts', async () => {
    const draft = await draftFor('preview-rules', [])
    expect((await call(`GET /api/referrals/${draft}/gate`, chidi)).body).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
    })
    expect((await call(`GET /api/referrals/${draft}/gate`, amara)).body).toMatchObject({ passes: true, checks: [] })
    await call(`POST /api/referrals/${draft}/send`, amara)
    expect((await call(`GET /api/referrals/${draft}/gate`, amara)).body.code).toBe('INVALID_TRANSITION')
  })
})

describe('re-routing', () => {
  it('asks another facility after a rejection, through a gate of its own', async () => {
    const draft = await draftFor('rerouted', ['Observation'])
    await permit('rerouted', ['Observation'])
    await call(`POST /api/referrals/${draft}/send`, amara)
    await move(draft, 'RECEIVED')
    const elsewhere = { receivingFacilityClientId: 'far-clinic', performerId: 'Organization/far' }
    const early = await call(`POST /api/referrals/${draft}/reroute`, amara, elsewhere)
    expect([early.status, early.body.code]).toEqual([422, 'INVALID_TRANSITION'])
    await move(draft, 'REJECTED')

    const refused = await call(`POST /api/referrals/${draft}/reroute`, amara, elsewhere)
    expect([refused.status, refused.body.code]).toEqual([422, 'CONSENT_GATE_FAILED'])
    expect((await call(`GET /api/referrals/${draft}`, amara)).body).toMatchObject({
      receivingFacilityClientId: 'hill-clinic',
      attention: 'TASK_REJECTED',
    })

    await permit('rerouted', ['Observation'], 'Organization/far')
    const races = await Promise.all([1, 2, 3].map(() => call(`POST /api/referrals/${draft}/reroute`, amara, elsewhere)))
    expect(races.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422, 422])
    const { body } = await call(`GET /api/referrals/${draft}`, amara)
    expect(body).toMatchObject({ ...elsewhere, status: 'ACTIVE', attention: null })
    const { body: tasks } = await call<AnyBody[]>(`GET /api/referrals/${draft}/tasks`, amara)
    expect(tasks).toMatchObject([
      { status: 'REJECTED', receivingFacilityClientId: 'hill-clinic' },
      { status: 'REQUESTED', ...elsewhere },
    ])
  })

  it('wants another facility, and an active referral', async () => {
    const draft = await draftFor('reroute-rules', [])
    const same = { receivingFacilityClientId: 'hill-clinic' }
    expect((await call(`POST /api/referrals/${draft}/reroute`, amara, same)).body.code).toBe('INVALID_TRANSITION')
    await call(`POST /api/referrals/${draft}/send`, amara)
    await move(draft, 'CANCELLED')
    const refused = await call(`POST /api/referrals/${draft}/reroute`, amara, same)
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    const byAnotherName = { receivingFacilityClientId: 'other-client', performerId: 'Organization/hill-clinic' }
    for (const again of [{ ...same, performerId: 'Organization/hill-clinic' }, byAnotherName]) {
      const answer = await call(`POST /api/referrals/${draft}/reroute`, amara, again)
      expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    }
    const nowhere = await call(`POST /api/referrals/${draft}/reroute`, amara, {})
    expect([nowhere.status, nowhere.body.message.includes('receivingFacilityClientId')]).toEqual([400, true])
  })
})

async function draftFor(patient: string, sharedResourceTypes: string[], more: object = {}): Promise<number> {
  const draft = {
    ...leastDraft,
    patientId: `Patient/${patient}`,
    receivingFacilityClientId: 'hill-clinic',
    sharedResourceTypes,
    ...more,
  }
  return (await call('POST /api/referrals', amara, draft)).body.id
}

const permit = (patient: string, resourceClasses: string[], actorReference = 'Device/hill-clinic') =>
  guarded.consent({
    ...{ patientId: `Patient/${patient}`, actorReference, provisionType: 'permit', resourceClasses },
    scopeValues: ['patient/*.rs'],
  })

/** What sending says, and what has become of the draft. */
async function sendingOf(draft: number) {
  const { status, body } = await call(`POST /api/referrals/${draft}/send`, amara)
  const { body: after } = await call<Record<string, unknown>>(`GET /api/referrals/${draft}`, amara)
  const { body: tasks } = await call(`GET /api/referrals/${draft}/tasks`, amara)
  const left = [after['status'], after['consentVerified'], after['authoredOn'], tasks]
  return { status, code: body.code, message: body.message, left }
}

const closed = (message: string) => ({
  ...{ status: 422, code: 'CONSENT_GATE_FAILED', message },
  left: ['DRAFT', false, null, []],
})

async function move(referralId: number, status: string): Promise<void> {
  const { body: tasks } = await call<AnyBody[]>(`GET /api/referrals/${referralId}/tasks`, amara)
  await call(`PATCH /api/referrals/${referralId}/tasks/${tasks[0]?.id}`, amara, { status })
}
