import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { TokenWish } from '../../../packages/testkit/token-claims.ts'
import {
  admin,
  amara,
  baraka,
  chidi,
  fullDraft,
  leastDraft,
  referralApi,
  type CallApi,
} from '../testing/referral-api.ts'
import { States } from '../testing/referral-states.ts'

let corridor: TestCorridor
let states: States
let call: CallApi
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'referral'], settings: { 'referral.fhirProjection': 'false' } })
  states = await States.of(corridor.databaseUrl)
  call = referralApi(corridor)
})
afterAll(async () => {
  await states[Symbol.asyncDispose]()
  await corridor[Symbol.asyncDispose]()
})

const newDraft = async () => (await call('POST /api/referrals', amara, fullDraft)).body.id

describe('a draft that is written anew', () => {
  it('says what it is told and nothing of before, and stays its authors’', async () => {
    const id = await newDraft()
    const before = (await call<Record<string, unknown>>(`GET /api/referrals/${id}`, amara)).body
    const { status, body } = await call<Record<string, unknown>>(`PUT /api/referrals/${id}`, amara, {
      ...{ ...leastDraft, receivingFacilityClientId: 'hill-hospital', priority: 'STAT', clinicalNote: 'Today.' },
    })
    expect([status, body]).toEqual([
      200,
      {
        ...before,
        ...{ receivingFacilityClientId: 'hill-hospital', priority: 'STAT', clinicalNote: 'Today.' },
        ...{ performerId: null, referralCode: null, referralDisplay: null, reasonCodes: [] },
        ...{ sharedResourceTypes: [], supportingInfo: [], occurrenceDate: null, updatedAt: expect.any(String) },
      },
    ])
    expect((await call(`GET /api/referrals/${id}`, amara)).body).toEqual(body)
  })

  it('has a row of its history and of the audit', async () => {
    const id = await newDraft()
    await call(`PUT /api/referrals/${id}`, amara, leastDraft)
    const { body: history } = await call<{ action: string; from: string; to: string }[]>(
      `GET /api/referrals/${id}/history`,
      amara,
    )
    expect(history.map(({ action, from, to }) => [action, from, to])).toEqual([
      ['create', null, 'DRAFT'],
      ['change', 'DRAFT', 'DRAFT'],
    ])
    const rows = await states.database.many(sql`
      select action, outcome, subject from referral.audit_events
      where referral_id = ${id} and action <> 'read' order by at, id`)
    expect(rows).toEqual([
      { action: 'create', outcome: 'success', subject: 'dr-amara' },
      { action: 'change', outcome: 'success', subject: 'dr-amara' },
    ])
  })

  it('is checked like a new one, and is of the same patient', async () => {
    const id = await newDraft()
    const wrong = await call(`PUT /api/referrals/${id}`, amara, { ...leastDraft, sharedResourceTypes: ['Foo'] })
    expect([wrong.status, wrong.body.message]).toEqual([400, expect.stringContaining('sharedResourceTypes[0]')])
    const other = await call(`PUT /api/referrals/${id}`, amara, { ...leastDraft, patientId: 'Patient/kofi-mensah' })
    expect([other.status, other.body.message]).toEqual([400, expect.stringContaining('patientId')])
    expect((await call(`GET /api/referrals/${id}`, amara)).body).toMatchObject({ clinicalNote: fullDraft.clinicalNote })
  })

  it.each([
    ['the facility that it names', baraka, 403],
    ['a third one', chidi, 403],
    ['an administrator', admin, 200],
  ])('by %s', async (_who, as, expected) => {
    const id = await newDraft()
    expect((await call(`PUT /api/referrals/${id}`, as, leastDraft)).status).toBe(expected)
  })

  it('is a draft: what was sent stays as it is', async () => {
    const id = await newDraft()
    await call(`POST /api/referrals/${id}/send`, amara)
    const { status, body } = await call(`PUT /api/referrals/${id}`, amara, leastDraft)
    expect([status, body.code, body.message]).toEqual([
      ...[422, 'INVALID_TRANSITION'],
      'The referral cannot be changed: current status ACTIVE, required status DRAFT.',
    ])
  })

  it('is one of them, whoever comes first: no two changes mix', async () => {
    const id = await newDraft()
    const notes = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(
      notes.map((clinicalNote) =>
        call(`PUT /api/referrals/${id}`, amara, { ...leastDraft, clinicalNote, referralDisplay: clinicalNote }),
      ),
    )
    expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true)
    const { body } = await call<Record<string, unknown>>(`GET /api/referrals/${id}`, amara)
    expect(body['clinicalNote']).toBe(body['referralDisplay'])
  })
})

describe('with If-Match', () => {
  const made = async () => {
    const { headers, body } = await call('POST /api/referrals', amara, leastDraft)
    return { id: body.id, tag: headers.get('etag') ?? '' }
  }

  it('a draft is changed by who saw its last version, and written over by nobody else', async () => {
    const { id, tag } = await made()
    const change = (clinicalNote: string, seen: string) =>
      call(`PUT /api/referrals/${id}`, amara, { ...leastDraft, clinicalNote }, { 'if-match': seen })
    const first = await change('one', tag)
    expect([first.status, first.headers.get('etag')]).toEqual([200, 'W/"2"'])
    const late = await change('two', tag)
    expect([late.status, late.body.code]).toEqual([422, 'INVALID_TRANSITION'])
    const { body, headers } = await call<Record<string, unknown>>(`GET /api/referrals/${id}`, amara)
    expect([body['clinicalNote'], headers.get('etag')]).toEqual(['one', 'W/"2"'])
    expect((await change('three', `"9", ${tag}, "2"`)).status).toBe(200)
    expect((await change('four', '*')).status).toBe(200)
  })

  it.each(['send', 'hold', 'resume', 'revoke', 'reroute'] as const)(
    'nobody takes the step %s who saw another version',
    async (step) => {
      const { id, tag } = await made()
      const at = `/api/referrals/${id}` as const
      const body = step === 'reroute' ? { receivingFacilityClientId: 'hill-hospital' } : undefined
      if (step === 'send') await call(`PUT ${at}`, amara, leastDraft)
      else await call(`POST ${at}/send`, amara)
      if (step === 'resume') await call(`POST ${at}/hold`, amara)
      if (step === 'reroute') {
        const [task] = (await call<{ id: number }[]>(`GET ${at}/tasks`, amara)).body
        await call(`PATCH ${at}/tasks/${task?.id}`, baraka, { status: 'CANCELLED' })
      }
      const late = await call(`POST ${at}/${step}`, amara, body, { 'if-match': tag })
      expect([late.status, late.body.message]).toEqual([422, expect.stringContaining('was changed meanwhile')])
      const seen = (await call(`GET ${at}`, amara)).headers.get('etag') ?? ''
      expect((await call(`POST ${at}/${step}`, amara, body, { 'if-match': seen })).status).toBe(200)
    },
  )

  it('work is cancelled by nobody who saw it before it was accepted', async () => {
    const { id } = await made()
    await call(`POST /api/referrals/${id}/send`, amara)
    const [task] = (await call<{ id: number; version: number }[]>(`GET /api/referrals/${id}/tasks`, amara)).body
    const move = (as: TokenWish, status: string, version?: number) =>
      call(`PATCH /api/referrals/${id}/tasks/${task?.id}`, as, { status }, ifMatch(version))
    const received = await move(baraka, 'RECEIVED', task?.version)
    expect([received.status, received.headers.get('etag')]).toEqual([200, 'W/"2"'])
    expect((await move(baraka, 'ACCEPTED')).status).toBe(200)
    const late = await move(amara, 'CANCELLED', task?.version)
    expect([late.status, late.body.code]).toEqual([422, 'INVALID_TRANSITION'])
    expect(late.body.message).toContain('was changed meanwhile: current status ACCEPTED')
    expect((await move(amara, 'CANCELLED', 3)).status).toBe(200)
  })

  const ifMatch = (version: number | undefined): Record<string, string> =>
    version === undefined ? {} : { 'if-match': `W/"${version}"` }
})
