import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { patientClock } from '../../../packages/testkit/patient-clock.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import { unanswered } from '../pipeline/stop.ts'
import { failed, flowWorld, sample, succeeded, type FlowWorld } from '../testing/flow-world.ts'
import type { Retries, RetryFilter } from './retries.ts'
import { channelCounts } from '../listeners/channel-store.ts'
import { cameAgain, deadLetterGroups } from '../store/dead-letters.ts'
import { attemptsOf, findTransaction, listTransactions } from '../store/transactions.ts'
import { retryTransactions } from './retry-transactions.ts'

describe('a retry', () => {
  let world: FlowWorld
  let retries: Retries
  let outcome: Outcome
  /** The runs of the test: which it was of its message, and whether that had ended before. */
  let runs: [attempt: number, wasEnded: boolean][]

  beforeEach(async () => {
    runs = []
    world = await flowWorld({
      runStages: async ({ attempt, wasEnded }) => {
        runs.push([attempt, wasEnded])
        return outcome
      },
    })
    const { database, flow } = world
    retries = retryTransactions({
      database,
      clock: patientClock,
      queue: flow.retries,
      channelOf: (id) => world.channel(id),
    })
  })
  afterEach(() => world[Symbol.asyncDispose]())

  const idOf = async (controlId: string) => {
    const row = await world.database.one<{ id: string }>(sql`
      select id from bridge.all_transactions where control_id = ${controlId} and status <> 'DUPLICATE'`)
    return row.id
  }

  /** How each run of a message ended, the first first. */
  const ends = async (id: string) =>
    (await attemptsOf(id, world.database)).map(({ attempt, status }) => `${attempt} ${status}`)

  /** As when its content is past its time. */
  const prune = (id: string) => world.database.run(sql`delete from bridge.raw_messages where transaction_id = ${id}`)

  /** How the messages of a channel stand, as its record tells it. */
  const standing = async () => {
    const counts = (await channelCounts(world.database)).get('adt') ?? []
    const names = ['received', 'succeeded', 'failed', 'rejected']
    return names.map((wanted) => counts.find(({ name }) => name === wanted)?.value ?? 0)
  }

  it('runs a failed message again under its own id, and then its sender is a duplicate', async () => {
    outcome = failed('AE')
    await world.code(sample({ controlId: 'A' }))
    const id = await idOf('A')
    outcome = succeeded()
    expect(await retries.retry(id, 'admin')).toMatchObject({
      ...{ is: 'accepted', transaction: { id, status: 'SUCCESS', attempts: 2, ack_code: 'AE' } },
    })
    expect(runs).toEqual([
      [1, false],
      [2, true],
    ])
    expect(await ends(id)).toEqual(['1 ERROR', '2 SUCCESS'])
    expect(await standing()).toEqual([1, 1, 0, 0])
    expect(await world.code(sample({ controlId: 'A' }))).toBe('AA Duplicate message')
  })

  it('of a message that came months ago ends, and nobody waits behind it', async () => {
    const clock = new SimulatedClock()
    await using later = await flowWorld({
      clock,
      runStages: async ({ message, attempt }) =>
        message.getText('MSH-10') === 'OLD' && attempt === 1 ? failed('AE') : succeeded(),
    })
    const { database, flow } = later
    const channelOf = (id: ChannelId) => later.channel(id)
    const again = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
    await later.code(sample({ controlId: 'OLD' }))
    const { id } = await database.one<{ id: string }>(sql`select id from bridge.transactions`)
    clock.jump(26 * 86_400_000)
    const longest = { status: 'SUCCESS', attempts: 2, duration_ms: 2_147_483_647 }
    expect(await again.retry(id, 'admin')).toMatchObject({ is: 'accepted', transaction: longest })
    expect(await later.code(sample({ controlId: 'NEXT' }))).toBe('AA')
  })

  it('whose end cannot be written is given up after 25 runs of its own, and nobody waits behind it', async () => {
    let allowed = Number.POSITIVE_INFINITY
    const told: string[] = []
    const outcomes: Outcome[] = [failed('AE'), succeeded({ goldenPatientId: 'PostgreSQL has no \0' })]
    await using troubled = await flowWorld({
      deps: { allowance: () => allowed },
      runStages: async ({ message, attempt }) => {
        told.push(`${message.getText('MSH-10')} ${attempt}`)
        return outcomes.shift() ?? succeeded()
      },
    })
    const { database, flow } = troubled
    const channelOf = (id: ChannelId) => troubled.channel(id)
    const again = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
    await troubled.code(sample({ controlId: 'A' }))
    const { id } = await database.one<{ id: string }>(sql`select id from bridge.transactions`)
    allowed = 0
    expect(await again.begin(id, 'admin')).toBe(true)
    // It was begun 23 times already; what follows is its last run but one.
    await database.run(sql`update bridge.open_work set runs = runs + 23`)
    allowed = Number.POSITIVE_INFINITY
    flow.retries.wake()
    await expect.poll(async () => (await findTransaction(id, database))?.error_code).toBe('POISON')
    expect(told).toEqual(['A 1', 'A 2'])
    expect(await troubled.code(sample({ controlId: 'B' }))).toBe('AA')
    expect(await again.retry(id, 'admin')).toMatchObject({ transaction: { status: 'SUCCESS', attempts: 3 } })
  })

  it('that fails leaves the message failed, and it can be tried again', async () => {
    outcome = failed('AR')
    await world.code(sample({ controlId: 'B' }))
    const id = await idOf('B')
    for (const attempt of [2, 3]) {
      expect(await retries.retry(id, 'admin')).toMatchObject({ transaction: { status: 'ERROR', attempts: attempt } })
    }
    expect(await ends(id)).toEqual(['1 ERROR', '2 ERROR', '3 ERROR'])
    expect(await standing()).toEqual([1, 0, 1, 1])
  })

  it('is refused for what has not failed, for what nobody knows, and for what is past its time', async () => {
    outcome = succeeded()
    await world.code(sample({ controlId: 'C' }))
    expect(await retries.retry(await idOf('C'), 'admin')).toEqual({ is: 'not-failed', status: 'SUCCESS' })
    expect(await retries.retry('nothing', 'admin')).toEqual({ is: 'unknown' })
    outcome = failed('AE')
    await world.code(sample({ controlId: 'D' }))
    const id = await idOf('D')
    await prune(id)
    expect(await retries.retry(id, 'admin')).toEqual({ is: 'pruned' })
  })

  it('of a message that its header refuses changes nothing but the count', async () => {
    await world.code(sample({ controlId: 'E' }).replace('|P|', '|T|'))
    const before = await standing()
    const id = await idOf('E')
    expect(await retries.retry(id, 'admin')).toMatchObject({ transaction: { status: 'ERROR', attempts: 2 } })
    expect(await ends(id)).toEqual(['1 ERROR', '2 ERROR'])
    expect(await standing()).toEqual(before)
  })

  it('of a message that its header refused is found by the number of its patient, before and after', async () => {
    const processingIds = ['P']
    await using stricter = await flowWorld({ channels: { adt: { processingIds } } })
    const { database, flow } = stricter
    const channelOf = (id: ChannelId) => stricter.channel(id)
    const again = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
    await stricter.code(sample({ controlId: 'E', patient: '4711' }).replace('|P|', '|T|'))
    const ofPatient = () =>
      listTransactions({ patientId: '4711' }, 'startedAt,desc', { number: 0, offset: 0, size: 20 }, database)
    expect(await ofPatient()).toMatchObject({ total: 1 })
    processingIds.push('T')
    const { id } = await database.one<{ id: string }>(sql`select id from bridge.transactions`)
    expect(await again.retry(id, 'admin')).toMatchObject({ transaction: { status: 'SUCCESS' } })
    expect(await ofPatient()).toMatchObject({ rows: [{ id }] })
  })

  it('does not ask for the certificate of a sender that it had, and does for one that it had not', async () => {
    const certificates = new Map([['central.example', new Set(['CENTRAL'])]])
    const told: string[] = []
    await using guarded = await flowWorld({
      channels: { adt: { certificates } },
      runStages: async ({ message, attempt }) => {
        told.push(`${message.getText('MSH-10')} ${attempt}`)
        return attempt === 1 ? failed('AE') : succeeded()
      },
    })
    const { database, flow } = guarded
    const again = retryTransactions({
      ...{ database, clock: patientClock, queue: flow.retries, channelOf: (id) => guarded.channel(id) },
    })
    await guarded.code(sample({ controlId: 'KNOWN' }), { certificateName: 'central.example' })
    await guarded.code(sample({ controlId: 'STRANGER' }), { certificateName: 'other.example' })
    const { transactionIds } = await again.retryBatch({}, 'admin')
    expect(transactionIds).toHaveLength(2)
    const [known = '', stranger = ''] = transactionIds
    await expect.poll(async () => (await findTransaction(known, database))?.status).toBe('SUCCESS')
    expect(await findTransaction(stranger, database)).toMatchObject({ status: 'ERROR', attempts: 2 })
    expect(told).toEqual(['KNOWN 1', 'KNOWN 2'])
  })

  it('of a message that took too long says where it stood, and does not ask for the certificate that it had', async () => {
    const certificates = new Map([['central.example', new Set(['CENTRAL'])]])
    await using guarded = await flowWorld({
      channels: { adt: { certificates } },
      flow: { answerWithinMs: 1_000 },
      runStages: async ({ attempt, enters }) => {
        if (attempt > 1) return succeeded()
        enters?.('GOVERN')
        return new Promise(() => {})
      },
    })
    const { database, flow } = guarded
    const channelOf = (id: ChannelId) => guarded.channel(id)
    const again = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
    await guarded.code(sample({ controlId: 'LATE' }), { certificateName: 'central.example' })
    const { id } = await database.one<{ id: string }>(sql`select id from bridge.transactions`)
    const late = { status: 'ERROR', stage: 'GOVERN', error_code: 'TIMEOUT' }
    expect(await findTransaction(id, database)).toMatchObject(late)
    expect(await again.retry(id, 'admin')).toMatchObject({ transaction: { status: 'SUCCESS', attempts: 2 } })
    expect(await attemptsOf(id, database)).toMatchObject([late, { attempt: 2, status: 'SUCCESS' }])
  })

  it('of a message that failed through an error of ours does not ask for the certificate that it had', async () => {
    const certificates = new Map([['central.example', new Set(['CENTRAL'])]])
    await using guarded = await flowWorld({
      channels: { adt: { certificates } },
      runStages: async ({ attempt }) => {
        if (attempt === 1) throw new Error('a bug')
        return succeeded()
      },
    })
    const { database, flow } = guarded
    const channelOf = (id: ChannelId) => guarded.channel(id)
    const again = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
    await guarded.code(sample({ controlId: 'BUG' }), { certificateName: 'central.example' })
    const { id } = await database.one<{ id: string }>(sql`select id from bridge.transactions`)
    expect(await findTransaction(id, database)).toMatchObject({ stage: 'ENRICH', error_code: 'INTERNAL' })
    expect(await again.retry(id, 'admin')).toMatchObject({ transaction: { status: 'SUCCESS', attempts: 2 } })
  })

  it('asks a sender that was refused at the door for the certificate that it showed then', async () => {
    const processingIds = ['P']
    const certificates = new Map([['engine.example', new Set(['CENTRAL', 'NORTH'])]])
    await using guarded = await flowWorld({ channels: { adt: { certificates, processingIds } } })
    const { database, flow } = guarded
    const channelOf = (id: ChannelId) => guarded.channel(id)
    const again = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf })
    const training = (facility: string) => sample({ controlId: facility, facility }).replace('|P|', '|T|')
    const certificateName = 'engine.example'
    for (const facility of ['CENTRAL', 'NORTH', 'SOUTH']) await guarded.code(training(facility), { certificateName })
    processingIds.push('T')
    const { transactionIds } = await again.retryBatch({}, 'admin')
    const [central = '', north = '', south = ''] = transactionIds
    for (const id of [central, north]) {
      await expect.poll(async () => (await findTransaction(id, database))?.status).toBe('SUCCESS')
    }
    const error_code = 'SENDER_NOT_ALLOWED'
    expect(await findTransaction(south, database)).toMatchObject({ status: 'ERROR', stage: 'RECEIVE', error_code })
    expect(await attemptsOf(south, database)).toMatchObject([
      { attempt: 1, error_code: 'UNSUPPORTED_PROCESSING_ID' },
      { attempt: 2, error_code },
    ])
  })

  describe('of a message that was taken', () => {
    const written = succeeded().resources
    const withoutConsent: Outcome = {
      ...failed('AE'),
      ...unanswered('CONSENT_UNAVAILABLE', 'The consent service', unavailable('away')),
    }
    const rowOf = (id: string) => () => findTransaction(id, world.database)
    const patience = { timeout: 10_000 }

    it.each([
      ['has its AA', undefined],
      ['has its CA and wants no more', 'AL|NE'],
      ['wants to hear of failures only', 'NE|ER'],
    ])('waits while a dependency is away, where the sender %s', async (_, modes) => {
      outcome = succeeded()
      await world.code(sample({ controlId: 'N', ...(modes === undefined ? {} : { modes }) }))
      const id = await idOf('N')
      await expect.poll(rowOf(id), patience).toMatchObject({ status: 'SUCCESS' })
      outcome = withoutConsent
      expect(await retries.rerun([id], 'admin')).toBe(1)
      await expect
        .poll(rowOf(id), patience)
        .toMatchObject({ status: 'QUEUED', error_code: 'CONSENT_UNAVAILABLE', resources: written })
      outcome = succeeded()
      await retries.drain()
      await expect.poll(rowOf(id), patience).toMatchObject({ status: 'SUCCESS', error_code: null, resources: written })
    })

    it('waits also where the first run of it had been refused', async () => {
      outcome = failed('AE')
      await world.code(sample({ controlId: 'O' }))
      const id = await idOf('O')
      outcome = succeeded()
      await retries.retry(id, 'admin')
      outcome = withoutConsent
      await retries.rerun([id], 'admin')
      await expect.poll(rowOf(id), patience).toMatchObject({ status: 'QUEUED', ack_code: 'AE', resources: written })
    })

    it('that fails for good takes nothing away from what was written', async () => {
      outcome = succeeded()
      await world.code(sample({ controlId: 'P' }))
      const id = await idOf('P')
      outcome = failed('AE')
      await retries.rerun([id], 'admin')
      await expect
        .poll(rowOf(id), patience)
        .toMatchObject({ status: 'ERROR', error_code: 'CONSENT_DENIED', resources: written })
    })
  })

  it('of a message under the control id of another runs it, since nobody has worked on what it says', async () => {
    outcome = succeeded()
    await world.code(sample({ controlId: 'Q', patient: '1' }))
    await world.code(sample({ controlId: 'Q', patient: '1' }))
    await world.code(sample({ controlId: 'Q', patient: '2' }))
    const [same, other] = await world.database.many<{ id: string; parent_transaction_id: string }>(sql`
      select id, parent_transaction_id from bridge.transactions where status = 'DUPLICATE' order by id`)
    expect(await retries.retry(same?.id ?? '', 'admin')).toEqual({ is: 'not-failed', status: 'DUPLICATE' })
    const id = other?.id ?? ''
    const now = { id, status: 'SUCCESS', ack_code: 'AA', content_mismatch: false, parent_transaction_id: null }
    expect(await retries.retry(id, 'admin')).toMatchObject({ is: 'accepted', transaction: now })
    expect(await ends(id)).toEqual(['1 DUPLICATE', '2 SUCCESS'])
    expect(await standing()).toEqual([3, 2, 0, 0])
    expect((await channelCounts(world.database)).get('adt')).toContainEqual(
      expect.objectContaining({ name: 'duplicates', value: 1 }),
    )
    expect(await world.code(sample({ controlId: 'Q', patient: '1' }))).toBe('AA Duplicate message')
  })

  it('of a batch leaves alone what its sender has sent again since', async () => {
    outcome = failed('AE')
    for (const controlId of ['R', 'R', 'R', 'S']) await world.code(sample({ controlId }))
    const rows = await world.database.many<{ id: string }>(sql`select id from bridge.transactions order by id`)
    const [first, second, last, other] = rows.map(({ id }) => id)
    expect(await cameAgain(first ?? '', world.database)).toBe(second)
    expect(await cameAgain(last ?? '', world.database)).toBeUndefined()
    expect(await deadLetterGroups(10, world.database)).toMatchObject([{ count: 2, lastId: other }])
    outcome = succeeded()
    const answer = await retries.retryBatch({}, 'admin')
    expect(answer).toEqual({ matched: 2, accepted: 2, skipped: 0, transactionIds: [last, other] })
    await expect.poll(() => deadLetterGroups(10, world.database)).toEqual([])
  })

  it('of a batch takes what failed although its control id was used for another patient since', async () => {
    outcome = failed('AE')
    await world.code(sample({ controlId: 'T', patient: '1' }))
    const { id: refused } = await world.database.one<{ id: string }>(sql`select id from bridge.transactions`)
    outcome = succeeded()
    expect(await world.code(sample({ controlId: 'T', patient: '2' }))).toBe('AA')
    expect(await cameAgain(refused, world.database)).toBeUndefined()
    expect(await deadLetterGroups(10, world.database)).toMatchObject([{ count: 1, lastId: refused }])
    expect(await retries.retryBatch({}, 'admin')).toMatchObject({ matched: 1, transactionIds: [refused] })
    await expect.poll(() => deadLetterGroups(10, world.database)).toEqual([])
  })

  it('of a batch takes what matches, the oldest first, and says what it skipped', async () => {
    outcome = failed('AE')
    for (const controlId of ['F', 'G']) await world.code(sample({ controlId, facility: 'LAKESIDE' }))
    for (const controlId of ['H', 'I']) await world.code(sample({ controlId }))
    await prune(await idOf('H'))
    outcome = succeeded()
    const other = await retries.retryBatch({ facilityCode: 'LAKESIDE', errorCode: 'UNKNOWN_FACILITY' }, 'admin')
    expect(other).toMatchObject({ matched: 0, accepted: 0 })
    const answer = await retries.retryBatch({ facilityCode: 'LAKESIDE' }, 'admin')
    expect(answer).toEqual({ matched: 2, accepted: 2, skipped: 0, transactionIds: [await idOf('F'), await idOf('G')] })
    const pruned = await retries.retryBatch({ facilityCode: 'CENTRAL' }, 'admin')
    expect(pruned).toEqual({ matched: 2, accepted: 1, skipped: 1, transactionIds: [await idOf('I')] })
  })

  it('of a batch takes what came within days, on a channel or as a type, where that is said', async () => {
    outcome = failed('AE')
    for (const controlId of ['OLD', 'NEW']) await world.code(sample({ controlId, patient: controlId }))
    const [old, fresh] = [await idOf('OLD'), await idOf('NEW')]
    const earlier = `20260303${old.slice(8)}`
    await world.database.run(
      sql`update bridge.raw_messages set transaction_id = ${earlier} where transaction_id = ${old}`,
    )
    await world.database.run(sql`update bridge.transactions set id = ${earlier} where id = ${old}`)
    const batchOf = async (filter: RetryFilter) => (await retries.retryBatch(filter, 'admin')).transactionIds
    expect(await batchOf({ to: '2026-03-02' })).toEqual([])
    expect(await batchOf({ channelId: 'oru' })).toEqual([])
    expect(await batchOf({ messageType: 'ADT^A03' })).toEqual([])
    outcome = succeeded()
    expect(await batchOf({ from: '2026-03-03', to: '2026-03-03', messageType: 'ADT' })).toEqual([earlier])
    expect(await batchOf({ from: '2026-03-04', channelId: 'adt' })).toEqual([fresh])
  })

  it('of more than a batch takes those first that were not run again yet, and says how many there are', async () => {
    const { database, flow } = world
    const channelOf = (id: ChannelId) => world.channel(id)
    const few = retryTransactions({ database, clock: patientClock, queue: flow.retries, channelOf, batchMax: 2 })
    outcome = failed('AE')
    const controlIds = ['PRUNED', 'J', 'K', 'L', 'M']
    for (const [patient, controlId] of controlIds.entries()) {
      await world.code(sample({ controlId, patient: String(patient) }))
    }
    await prune(await idOf('PRUNED'))
    for (const [first = '', second = ''] of [
      ['J', 'K'],
      ['L', 'M'],
      ['J', 'K'],
    ]) {
      const answer = await few.retryBatch({}, 'admin')
      expect(answer).toEqual({
        matched: 5,
        accepted: 2,
        skipped: 0,
        transactionIds: [await idOf(first), await idOf(second)],
      })
      for (const id of answer.transactionIds) {
        await expect.poll(async () => (await findTransaction(id, database))?.status).toBe('ERROR')
      }
    }
  })
})
