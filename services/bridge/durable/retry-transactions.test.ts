import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { patientClock } from '../../../packages/testkit/patient-clock.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import { failed, flowWorld, sample, succeeded, type FlowWorld } from '../testing/flow-world.ts'
import type { Retries } from './retries.ts'
import { channelCounts } from '../listeners/channel-store.ts'
import { attemptsOf, findTransaction } from '../store/transactions.ts'
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

  it('does not ask for the certificate of a sender that it had, and does for one that it had not', async () => {
    const certificates = new Map([['central.example', 'CENTRAL']])
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
})
