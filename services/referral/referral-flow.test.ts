import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCanaries } from '../../packages/testkit/log-canaries.ts'
import { findCanaries } from '../../packages/testkit/find-canaries.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { sql } from '../../packages/sql/sql.ts'
import { isSignedBy } from '../../ports/notification/webhook-signature.ts'
import { refuse, pass } from '../../packages/testkit/fault-modes.ts'
import { guardedCorridor, type GuardedCorridor } from './testing/guarded-corridor.ts'
import { ReceivingServer } from './testing/receiving-server.ts'
import { amara, amina, baraka, chidi, type AnyBody, type CallApi, type Request } from './testing/referral-api.ts'
import { States } from './testing/referral-states.ts'

let guarded: GuardedCorridor
let outside: ReceivingServer
let fhir: ReceivingServer
let states: States
let call: CallApi
beforeAll(async () => {
  outside = await ReceivingServer.start()
  fhir = await ReceivingServer.start()
  const facilities = [
    {
      ...{ clientId: 'central-hospital', webhookUrl: `${outside.url}/central`, webhookSecret: 'central secret' },
      ...{ email: 'desk@central.example', phone: '+999 100' },
    },
    { clientId: 'lakeside-clinic', webhookUrl: `${outside.url}/lakeside`, webhookSecret: 'lakeside secret' },
  ]
  guarded = await guardedCorridor({
    'fhir.url': `${fhir.url}/fhir`,
    'referral.fhirProjection': 'true',
    'referral.facilities': JSON.stringify(facilities),
    'referral.smsGatewayUrl': `${outside.url}/sms`,
    'referral.smsGatewayAuthorization': 'Bearer of-the-sms-gateway',
    'referral.emailGatewayUrl': `${outside.url}/email`,
  })
  states = await States.of(guarded.corridor.databaseUrl)
  call = guarded.call
})
afterAll(async () => {
  await states[Symbol.asyncDispose]()
  await guarded[Symbol.asyncDispose]()
  await outside[Symbol.asyncDispose]()
  await fhir[Symbol.asyncDispose]()
})

const canaries = makeCanaries(20_261)
const draft = {
  patientId: 'Patient/amina-diallo',
  requesterId: 'Practitioner/dr-amara',
  receivingFacilityClientId: 'lakeside-clinic',
  performerId: 'Organization/lakeside-clinic',
  priority: 'STAT',
  referralDisplay: canaries.one('observation text'),
  reasonCodes: ['I10', canaries.one('national id')],
  clinicalNote: canaries.one('note'),
  sharedResourceTypes: ['Observation', 'Condition'],
  supportingInfo: ['https://letters.example.org/fhir/DocumentReference/letter-1'],
}

describe('a referral between two facilities', () => {
  it('goes from draft to completed, and both sides see the same', async () => {
    const { body: made } = await call('POST /api/referrals', amara, draft)
    const at = `/api/referrals/${made.id}` as const
    await call(`POST ${at}/send`, amara)

    // The receiver finds it in the inbox and works on it.
    const { body: inbox } = await call<AnyBody[]>(
      'GET /api/referrals/inbox?performerId=Organization/lakeside-clinic',
      baraka,
    )
    expect(inbox.map(({ id }) => id)).toContain(made.id)
    const { body: tasks } = await call<AnyBody[]>(`GET ${at}/tasks`, baraka)
    const task: Request = `PATCH ${at}/tasks/${tasks[0]?.id}`
    for (const status of ['RECEIVED', 'ACCEPTED', 'INPROGRESS', 'ONHOLD', 'INPROGRESS', 'COMPLETED']) {
      expect((await call(task, baraka, { status, note: canaries.one('note', 1) })).status).toBe(200)
      await expectBothSidesAgree(at)
    }

    const { body: ended } = await call(`GET ${at}`, amara)
    expect(ended).toMatchObject({ status: 'COMPLETED', consentVerified: true, attention: null })
    const { body: left } = await call<AnyBody[]>(
      'GET /api/referrals/inbox?performerId=Organization/lakeside-clinic',
      baraka,
    )
    expect(left.map(({ id }) => id)).not.toContain(made.id)

    interface Step {
      readonly action: string
      readonly from: string | null
      readonly to: string
      readonly actor: string
    }
    const { body: history } = await call<Step[]>(`GET ${at}/history`, amina)
    expect(history.map(({ action, from, to, actor }) => [action, from, to, actor])).toEqual([
      ['create', null, 'DRAFT', 'dr-amara'],
      ['send', 'DRAFT', 'ACTIVE', 'dr-amara'],
      ['task', null, 'REQUESTED', 'dr-amara'],
      ['task', 'REQUESTED', 'RECEIVED', 'dr-baraka'],
      ['task', 'RECEIVED', 'ACCEPTED', 'dr-baraka'],
      ['task', 'ACCEPTED', 'INPROGRESS', 'dr-baraka'],
      ['task', 'INPROGRESS', 'ONHOLD', 'dr-baraka'],
      ['task', 'ONHOLD', 'INPROGRESS', 'dr-baraka'],
      ['task', 'INPROGRESS', 'COMPLETED', 'dr-baraka'],
      ['complete', 'ACTIVE', 'COMPLETED', 'dr-baraka'],
    ])

    // The FHIR store has caught up, whatever came between.
    await waitFor(
      () => fhir.resource(`/fhir/ServiceRequest/corridor-referral-${made.id}`)?.['status'] === 'completed',
      { deadlineMs: 20_000, what: 'the ServiceRequest to be completed' },
    )
    const fhirTask = `/fhir/Task/corridor-referral-task-${tasks[0]?.id}`
    await waitFor(() => fhir.resource(fhirTask)?.['status'] === 'completed', {
      ...{ deadlineMs: 20_000, what: 'the Task to be completed' },
    })
    const audits = await waitFor(
      () => {
        const found = fhir.received.filter(({ path }) => path === '/fhir/AuditEvent')
        return found.length >= 8 && found
      },
      { deadlineMs: 20_000, what: 'an AuditEvent for each call' },
    )
    expect(JSON.parse(audits[0]?.body ?? '')).toMatchObject({ resourceType: 'AuditEvent', outcome: '0' })
    expect(audits[0]?.headers['if-none-exist']).toMatch(/^_tag=/)
  })

  it('tells the other side of every step, signed, in order, and without a word about the patient', async () => {
    const { body: made } = await call('POST /api/referrals', amara, draft)
    await call(`POST /api/referrals/${made.id}/send`, amara)
    const { body: tasks } = await call<AnyBody[]>(`GET /api/referrals/${made.id}/tasks`, baraka)
    await call(`PATCH /api/referrals/${made.id}/tasks/${tasks[0]?.id}`, baraka, { status: 'RECEIVED' })
    await call(`POST /api/referrals/${made.id}/hold?reason=${encodeURIComponent(canaries.one('note', 2))}`, amara)
    await call(`POST /api/referrals/${made.id}/revoke`, amara)
    await waitFor(() => told(made.id, '/lakeside').length === 3 && told(made.id, '/central').length === 1, {
      deadlineMs: 20_000,
      what: 'both facilities to be told',
    })
    await waitFor(() => told(made.id, '/sms').length === 1 && told(made.id, '/email').length === 1, {
      deadlineMs: 20_000,
      what: 'SMS and e-mail',
    })

    const toLakeside = told(made.id, '/lakeside').map(({ body }) => JSON.parse(body) as { type: string; data: object })
    expect(toLakeside.map(({ type }) => type)).toEqual(['referral.sent', 'referral.held', 'referral.revoked'])
    expect(toLakeside[0]?.data).toEqual({
      referralId: made.id,
      taskId: null,
      status: 'ACTIVE',
      referralStatus: 'ACTIVE',
    })
    const [answer] = told(made.id, '/central')
    const message = {
      id: String(answer?.headers['webhook-id']),
      timestamp: Number(answer?.headers['webhook-timestamp']),
      body: answer?.body ?? '',
    }
    expect(JSON.parse(message.body)).toMatchObject({ type: 'referral.task.received', data: { status: 'RECEIVED' } })
    expect(isSignedBy('central secret', message, String(answer?.headers['webhook-signature']))).toBe(true)
    expect(told(made.id, '/sms')[0]?.headers.authorization).toBe('Bearer of-the-sms-gateway')
    expect(told(made.id, '/email')[0]?.headers.authorization).toBeUndefined()
    expect(JSON.parse(told(made.id, '/sms')[0]?.body ?? '')).toMatchObject({
      to: '+999 100',
      text: `Referral ${made.id}: task received. Sign in to see it.`,
    })
    const everything = outside.received.map(({ body, path }) => `${path} ${body}`)
    expect(findCanaries(everything, canaries)).toEqual([])
    expect(everything.join()).not.toContain('amina-diallo')
  })

  it('tries a webhook again until it is taken, with the same id', async () => {
    outside.httpStatus = 500
    const { body: made } = await call('POST /api/referrals', amara, draft)
    await call(`POST /api/referrals/${made.id}/send`, amara)
    await waitFor(() => told(made.id, '/lakeside').length > 0, { deadlineMs: 20_000, what: 'the first attempt' })
    outside.httpStatus = 204
    await waitFor(() => told(made.id, '/lakeside').length > 1, { deadlineMs: 20_000, what: 'the second attempt' })
    const ids = new Set(told(made.id, '/lakeside').map(({ headers }) => headers['webhook-id']))
    expect(ids.size).toBe(1)
    await call(`POST /api/referrals/${made.id}/revoke`, amara)
  })

  it('is written to the FHIR store also when that was away', async () => {
    fhir.httpStatus = 503
    const { body: made } = await call('POST /api/referrals', amara, draft)
    const path = `/fhir/ServiceRequest/corridor-referral-${made.id}`
    await waitFor(() => fhir.at(path).length > 0, { deadlineMs: 20_000, what: 'the first attempt' })
    await call(`POST /api/referrals/${made.id}/revoke`, amara)
    fhir.httpStatus = 201
    const isThere = () => fhir.resource(path)?.['status'] === 'revoked'
    expect(await waitFor(isThere, { deadlineMs: 20_000, what: 'the revoked ServiceRequest' })).toBe(true)
  })
})

describe('what is written down', () => {
  it('has a row for every call that changed something and for every refusal', async () => {
    const { body: made } = await call('POST /api/referrals', amara, draft)
    await guarded.proxy.set(refuse)
    await call(`POST /api/referrals/${made.id}/send`, amara)
    await guarded.proxy.set(pass)
    await call(`POST /api/referrals/${made.id}/send`, chidi)
    await call(`POST /api/referrals/${made.id}/send`, amara)
    const rows = await states.database.many(sql`
      select action, outcome, subject, patient_id, client_id, request_id is not null as "hasRequest"
      from referral.audit_events where referral_id = ${made.id} order by at, id`)
    const row = (action: string, outcome: string, subject: string) => ({
      ...{ action, outcome, subject, patient_id: 'Patient/amina-diallo', client_id: 'demo-app', hasRequest: true },
    })
    expect(rows).toEqual([
      row('create', 'success', 'dr-amara'),
      row('send', 'refused', 'dr-amara'),
      row('send', 'refused', 'dr-chidi'),
      row('send', 'success', 'dr-amara'),
    ])
  })

  it('has no patient data in the log, whatever went wrong', async () => {
    const patientId = `Patient/${canaries.one('national id', 2)}`
    const { body: made } = await call('POST /api/referrals', amara, { ...draft, patientId })
    const reason = encodeURIComponent(canaries.one('note', 3))
    await call('POST /api/referrals', amara, {
      ...draft,
      patientId: canaries.one('name'),
      clinicalNote: [canaries.one('note')],
    })
    await guarded.proxy.set(refuse)
    await call(`POST /api/referrals/${made.id}/send`, amara)
    await guarded.proxy.set(pass)
    await call(`POST /api/referrals/${made.id}/send`, amara)
    await call(`GET /api/referrals/patient/${canaries.one('national id', 2)}`, amara)
    await call(`PATCH /api/referrals/${made.id}/tasks/0`, baraka, { status: canaries.one('name', 1) })
    await call(`POST /api/referrals/${made.id}/hold?reason=${reason}%00`, amara)
    await call(`POST /api/referrals/${made.id}/revoke?reason=${reason}`, amara)
    expect(findCanaries(guarded.corridor.log.lines, canaries)).toEqual([])
  })
})

/** What came there about this referral: what was said of another one may come at any time. */
const told = (id: number, path: string) =>
  outside.at(path).filter(({ body }) => body.includes(`"referralId":${id},`) || body.includes(`Referral ${id}:`))

async function expectBothSidesAgree(at: `/api/referrals/${number}`): Promise<void> {
  const views = await Promise.all([amara, baraka].map((who) => call<Record<string, unknown>>(`GET ${at}`, who)))
  const [sender, receiver] = views.map(({ body }) => ({ ...body, availableActions: [] }))
  expect(sender).toEqual(receiver)
  const tasks = await Promise.all([amara, baraka].map((who) => call(`GET ${at}/tasks`, who)))
  expect(tasks[0]?.body).toEqual(tasks[1]?.body)
}
