import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { amara, baraka, leastDraft, referralApi, type AnyBody, type CallApi } from '../testing/referral-api.ts'
import { sentReferral, States, type SentReferral } from '../testing/referral-states.ts'
import { mayTaskMove, nextReferralStatus, referralStatuses, taskStatuses, type TaskStatus } from '../transitions.ts'

let corridor: TestCorridor
let call: CallApi
let states: States
let sent: SentReferral
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'referral'], settings: { 'referral.fhirProjection': 'false' } })
  call = referralApi(corridor)
  states = await States.of(corridor.databaseUrl)
  sent = await sentReferral(call)
})
afterAll(async () => {
  await states[Symbol.asyncDispose]()
  await corridor[Symbol.asyncDispose]()
})

const statusOf = async (id: number) => (await call(`GET /api/referrals/${id}`, amara)).body.status
const tasksOf = async (id: number) => (await call<AnyBody[]>(`GET /api/referrals/${id}/tasks`, amara)).body

describe('sending a draft', () => {
  it('makes it active with one requested task for the receiving facility', async () => {
    const { body: draft } = await call('POST /api/referrals', amara, {
      ...leastDraft,
      performerId: 'Organization/lakeside-clinic',
    })
    const { status, body } = await call(`POST /api/referrals/${draft.id}/send`, amara)
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        status: 'ACTIVE',
        consentVerified: true,
        authoredOn: expect.stringMatching(/Z$/),
        availableActions: ['hold', 'revoke'],
      }),
    ])
    expect(await tasksOf(draft.id)).toEqual([
      {
        id: expect.any(Number),
        referralId: draft.id,
        status: 'REQUESTED',
        receivingFacilityClientId: 'lakeside-clinic',
        performerId: 'Organization/lakeside-clinic',
        note: null,
        rejectionReason: null,
        acceptBy: expect.any(String),
        overdueAt: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        version: 1,
        availableActions: ['RECEIVED', 'CANCELLED'],
      },
    ])
  })
})

describe('a task, tried from every status to every status', () => {
  it.each(
    taskStatuses.flatMap((from) => taskStatuses.map((to) => [from, to, mayTaskMove(from, to) ? 200 : 422] as const)),
  )('from %s to %s: %i', async (from, to, expected) => {
    await states.put(sent, 'ACTIVE', from)
    const { status, body } = await call(`PATCH ${taskPath()}`, baraka, { status: to })
    expect(status).toBe(expected)
    expect((await tasksOf(sent.id))[0]?.status).toBe(expected === 200 ? to : from)
    const said = expected === 200 ? [body.status] : [body.code, body.message.includes(`current status ${from}`)]
    expect(said).toEqual(expected === 200 ? [to] : ['INVALID_TRANSITION', true])
  })

  it('says what is required and what is possible', async () => {
    await states.put(sent, 'ACTIVE', 'REQUESTED')
    const { body } = await call(`PATCH ${taskPath()}`, baraka, { status: 'COMPLETED' })
    expect(body).toMatchObject({
      status: 422,
      title: 'Unprocessable Content',
      code: 'INVALID_TRANSITION',
      message:
        'The task cannot become COMPLETED: current status REQUESTED, required status INPROGRESS; from REQUESTED it can become one of RECEIVED, CANCELLED.',
    })
  })

  it.each(['ONHOLD', 'COMPLETED', 'REVOKED', 'DRAFT'] as const)(
    'stands still while its referral is %s',
    async (status) => {
      await states.put(sent, status, 'REQUESTED')
      const { status: answered, body } = await call(`PATCH ${taskPath()}`, baraka, { status: 'RECEIVED' })
      expect([answered, body.code]).toEqual([422, 'INVALID_TRANSITION'])
      expect(body.message).toContain(`${status}, required status ACTIVE`)
    },
  )
})

describe('a task update', () => {
  it('keeps a note until there is another, and a reason only for a rejection', async () => {
    await states.put(sent, 'ACTIVE', 'REQUESTED')
    const received = await call(`PATCH ${taskPath()}`, baraka, {
      status: 'received',
      note: 'Seen.',
      rejectionReason: 'none',
    })
    expect(received.body).toMatchObject({ status: 'RECEIVED', note: 'Seen.', rejectionReason: null })
    const rejected = await call(`PATCH ${taskPath()}`, baraka, {
      status: 'REJECTED',
      note: null,
      rejectionReason: 'No bed',
    })
    expect(rejected.body).toMatchObject({
      status: 'REJECTED',
      note: 'Seen.',
      rejectionReason: 'No bed',
      availableActions: [],
    })
  })

  it.each(['', '  \n'])(
    'with the note %j leaves the one before, and every note stays in the history',
    async (blank) => {
      const { id, taskId } = await sentReferral(call)
      const at = `/api/referrals/${id}` as const
      for (const [status, note] of [
        ['RECEIVED', 'Seen.'],
        ['ACCEPTED', blank],
        ['INPROGRESS', 'Begun.'],
      ]) {
        await call(`PATCH ${at}/tasks/${taskId}`, baraka, { status, note, rejectionReason: blank })
      }
      const done = await call(`PATCH ${at}/tasks/${taskId}`, baraka, { status: 'COMPLETED', note: blank })
      expect(done.body).toMatchObject({ status: 'COMPLETED', note: 'Begun.', rejectionReason: null })
      const { body: history } = await call<{ to: string; note: string | null }[]>(`GET ${at}/history`, amara)
      expect(history.filter(({ note }) => note !== null).map(({ to, note }) => [to, note])).toEqual([
        ['RECEIVED', 'Seen.'],
        ['INPROGRESS', 'Begun.'],
      ])
    },
  )

  it('may leave the reason of a rejection out', async () => {
    await states.put(sent, 'ACTIVE', 'RECEIVED')
    const { status } = await call(`PATCH ${taskPath()}`, baraka, { status: 'REJECTED', rejectionReason: null })
    expect(status).toBe(200)
  })

  it.each([
    ['no status', {}, 'status'],
    ['an unknown status', { status: 'DONE' }, 'status'],
    ['a number as status', { status: 1 }, 'status'],
    ['a note of 2049 characters', { status: 'RECEIVED', note: 'x'.repeat(2049) }, 'note'],
    ['a reason of 1025 characters', { status: 'REJECTED', rejectionReason: 'x'.repeat(1025) }, 'rejectionReason'],
    ['a list', [], 'body'],
  ])('with %s is refused', async (_name, update, field) => {
    const { status, body } = await call(`PATCH ${taskPath()}`, baraka, update)
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(body.message).toContain(field)
  })

  it('with a wrong status and a long note is told of both', async () => {
    const update = { status: 'DONE', note: 'x'.repeat(2049) }
    const { body } = await call<{ readonly errors: unknown }>(`PATCH ${taskPath()}`, baraka, update)
    expect(body.errors).toMatchObject([{ path: 'note' }, { path: 'status' }])
  })

  it('finds a task only in its own referral', async () => {
    const other = await sentReferral(call)
    for (const path of [
      `/api/referrals/${other.id}/tasks/${sent.taskId}`,
      `/api/referrals/${sent.id}/tasks/999999`,
      `/api/referrals/${sent.id}/tasks/x`,
    ] as const) {
      const { status, body } = await call(`PATCH ${path}`, baraka, { status: 'RECEIVED' })
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('a referral, tried in every status with every action', () => {
  const actions = ['send', 'hold', 'resume', 'revoke'] as const
  it.each(
    referralStatuses.flatMap((from) =>
      actions.map((action) => [from, action, nextReferralStatus(from, action)] as const),
    ),
  )('that is %s, on %s becomes %s', async (from, action, to) => {
    await states.put(sent, from, 'REQUESTED')
    const { status, body } = await call(`POST /api/referrals/${sent.id}/${action}`, amara)
    expect(status).toBe(to === undefined ? 422 : 200)
    expect(await statusOf(sent.id)).toBe(to ?? from)
    const said =
      to === undefined ? [body.code, body.message.includes(`current status ${from}, required status`)] : [body.status]
    expect(said).toEqual(to === undefined ? ['INVALID_TRANSITION', true] : [to])
  })

  it('names the current and the required status', async () => {
    await states.put(sent, 'COMPLETED', 'COMPLETED')
    const { body } = await call(`POST /api/referrals/${sent.id}/hold`, amara)
    expect(body.message).toBe('The referral cannot be put on hold: current status COMPLETED, required status ACTIVE.')
  })

  it('keeps the reason of a hold until it is resumed, and that of a revocation', async () => {
    const { id } = await sentReferral(call)
    expect((await call(`POST /api/referrals/${id}/hold?reason=no%20transport`, amara)).body.statusReason).toBe(
      'no transport',
    )
    expect((await call(`POST /api/referrals/${id}/resume`, amara)).body.statusReason).toBeNull()
    expect((await call(`POST /api/referrals/${id}/revoke?reason=recovered`, amara)).body.statusReason).toBe('recovered')
    expect((await call(`POST /api/referrals/${id}/revoke?reason=again`, amara)).body.statusReason).toBe('recovered')
  })

  it.each(['hold', 'revoke'] as const)('has no reason for %s where that is blank', async (action) => {
    const { id } = await sentReferral(call)
    expect((await call(`POST /api/referrals/${id}/${action}?reason=%20`, amara)).body.statusReason).toBeNull()
    const { body: history } = await call<{ reason: string | null }[]>(`GET /api/referrals/${id}/history`, amara)
    expect(history.filter(({ reason }) => reason !== null)).toEqual([])
  })

  it.each(['hold', 'revoke'] as const)('takes a reason of 256 characters for %s and none of 257', async (action) => {
    const { id } = await sentReferral(call)
    const long = await call(`POST /api/referrals/${id}/${action}?reason=${'x'.repeat(257)}`, amara)
    expect([long.status, long.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect((await call(`POST /api/referrals/${id}/${action}?reason=${'x'.repeat(256)}`, amara)).status).toBe(200)
  })

  it.each(taskStatuses)('cancels a task that is %s when revoked, if it is open', async (status) => {
    await states.put(sent, 'ACTIVE', status)
    await call(`POST /api/referrals/${sent.id}/revoke`, amara)
    const isOpen = (['REQUESTED', 'RECEIVED', 'ACCEPTED', 'INPROGRESS', 'ONHOLD'] as TaskStatus[]).includes(status)
    expect((await tasksOf(sent.id))[0]?.status).toBe(isOpen ? 'CANCELLED' : status)
  })

  it.each([
    ['RECEIVED', 'REJECTED', 'TASK_REJECTED'],
    ['INPROGRESS', 'FAILED', 'TASK_FAILED'],
    ['REQUESTED', 'CANCELLED', 'TASK_CANCELLED'],
  ] as const)('stays active and asks for attention when its task goes from %s to %s', async (from, to, attention) => {
    await states.put(sent, 'ACTIVE', from)
    await call(`PATCH ${taskPath()}`, baraka, { status: to })
    const { body } = await call(`GET /api/referrals/${sent.id}`, amara)
    expect(body).toMatchObject({ status: 'ACTIVE', attention, availableActions: ['hold', 'revoke', 'reroute'] })
  })

  it('is completed by its last open task', async () => {
    await states.put(sent, 'ACTIVE', 'INPROGRESS')
    await call(`PATCH ${taskPath()}`, baraka, { status: 'COMPLETED' })
    expect(await statusOf(sent.id)).toBe('COMPLETED')
  })
})

describe('transitions at the same moment', () => {
  it('let exactly one send win; the others are told the new status', async () => {
    const { body: draft } = await call('POST /api/referrals', amara, leastDraft)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(`POST /api/referrals/${draft.id}/send`, amara)),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 422),
    ])
    const losers = answers.filter(({ status }) => status === 422)
    expect(losers.map(({ body }) => [body.code, body.message])).toEqual(
      losers.map(() => [
        'INVALID_TRANSITION',
        'The referral cannot be sent: current status ACTIVE, required status DRAFT.',
      ]),
    )
    expect(await tasksOf(draft.id)).toHaveLength(1)
  })

  it('let exactly one move of a task win', async () => {
    await states.put(sent, 'ACTIVE', 'RECEIVED')
    const wishes = ['ACCEPTED', 'REJECTED', 'ACCEPTED', 'REJECTED', 'ACCEPTED', 'REJECTED']
    const answers = await Promise.all(wishes.map((status) => call(`PATCH ${taskPath()}`, baraka, { status })))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    const [winner] = won
    const messages = answers.filter(({ status }) => status === 422).map(({ body }) => body.message)
    expect(messages).toHaveLength(5)
    expect(messages.every((message) => message.includes(`current status ${winner?.body.status}`))).toBe(true)
  })

  it('let either a hold or a revocation be first, and a task never move on a referral that has ended', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, taskId } = await sentReferral(call)
      const [revoked, moved] = await Promise.all([
        call(`POST /api/referrals/${id}/revoke`, amara),
        call(`PATCH /api/referrals/${id}/tasks/${taskId}`, baraka, { status: 'RECEIVED' }),
        call(`POST /api/referrals/${id}/hold`, amara),
      ])
      expect(revoked.status).toBe(200)
      expect([200, 422]).toContain(moved.status)
      expect(await statusOf(id)).toBe('REVOKED')
      expect((await tasksOf(id))[0]?.status).toBe('CANCELLED')
    }
  })
})

const taskPath = () => `/api/referrals/${sent.id}/tasks/${sent.taskId}` as const
