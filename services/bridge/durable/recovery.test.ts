import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { parseMessage, type Message } from '../../../packages/hl7/index.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { thisProcess } from '../../../packages/sql/tasks/this-process.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import type { Received } from '../pipeline/received.ts'
import { failed, flowWorld, parked, sample, succeeded, type FlowWorld } from '../testing/flow-world.ts'
import { claimDue } from './claims.ts'
import { insertCopy } from './copy-statements.ts'

const statuses = async ({ database }: FlowWorld) =>
  (
    await database.many<{ line: string }>(sql`
      select concat_ws(' ', control_id, status, ack_code, attempts) as line from bridge.all_transactions order by id`)
  ).map(({ line }) => line)

const openWork = async ({ database }: FlowWorld) => (await database.many(sql`select 1 from bridge.open_work`)).length

/** A copy in a process that ends, as far as one in another place can tell: its number belongs to nobody. */
const elsewhere = { ...thisProcess(), pid: 999_999_999 }
/** One that takes every process for alive. */
const trusting = { ...thisProcess(), isAlive: () => true }

/** Messages that never end, as those of a process that was killed: journaled, and then nothing. */
const never = () => new Promise<Outcome>(() => {})

describe('what a dead copy left behind', () => {
  it('is run by another one in its order, and a sender that comes again gets its answer', async () => {
    const ran: string[] = []
    const runStages = async ({ message }: Received) => {
      ran.push(message.getText('MSH-10') ?? '')
      return succeeded()
    }
    await using world = await flowWorld({ runStages, flow: { leaseMs: 60_000 }, deps: { process: trusting } })
    const { copy, die } = await world.startMortal({ runStages: never, process: elsewhere })
    const ids = ['A', 'B', 'C']
    for (const controlId of ids) {
      void world.send(sample({ controlId }), { copy })
      await waitFor(async () => (await openWork(world)) === ids.indexOf(controlId) + 1, { what: 'journaled' })
    }
    await die()
    const again = world.code(sample({ controlId: 'C' }))
    await waitFor(() => world.flow.underWay.size > 0, { what: 'the duplicate waits' })
    expect(await statuses(world)).toEqual(['A PROCESSING 1', 'B PROCESSING 1', 'C PROCESSING 1'])
    // A third copy starts in the same place and sees that the process is gone: it does not wait for the lease.
    await world.start({ process: thisProcess() })
    expect(await again).toBe('AA Duplicate message')
    expect(ran).toEqual(['A', 'B', 'C'])
    const lines = await statuses(world)
    expect(lines).toEqual(['A SUCCESS AA 1', 'B SUCCESS AA 1', 'C SUCCESS AA 1', 'C DUPLICATE AA 1'])
  })

  it('is found by the number of its patient, where its sender was known by a certificate, too', async () => {
    await using world = await flowWorld({
      channels: { adt: { certificates: new Map([['central.example', new Set(['CENTRAL'])]]) } },
      flow: { leaseMs: 60_000 },
      deps: { process: trusting },
    })
    const { copy, die } = await world.startMortal({ runStages: never, process: elsewhere })
    void world.send(sample({ controlId: 'A', patient: '4711' }), { copy, certificateName: 'central.example' })
    await waitFor(async () => (await openWork(world)) === 1, { what: 'journaled' })
    await die()
    await world.start({ process: thisProcess() })
    await waitFor(async () => (await statuses(world))[0] === 'A SUCCESS AA 1', { what: 'its end' })
    const found = sql`select 1 from bridge.transactions where patient_keys @> array['4711']`
    expect(await world.database.many(found)).toHaveLength(1)
  })

  it('is refused to its duplicates, whatever they ask, when it is refused in the end', async () => {
    const gate = Promise.withResolvers<Outcome>()
    await using world = await flowWorld({
      runStages: () => gate.promise,
      flow: { leaseMs: 60_000 },
      deps: { process: trusting },
    })
    const { copy, die } = await world.startMortal({ runStages: never, process: elsewhere })
    void world.send(sample({ controlId: 'A' }), { copy })
    await waitFor(async () => (await openWork(world)) === 1, { what: 'journaled' })
    await die()
    const duplicates = ['', 'AL|AL', 'AL|AL', 'NE|AL'].map((modes) =>
      world.code(sample({ controlId: 'A', ...(modes === '' ? {} : { modes }) })),
    )
    const lastTicket = sql`select max(last_ticket)::int as last from bridge.lanes`
    await waitFor(async () => (await world.database.one<{ last: number }>(lastTicket)).last > 1, {
      what: 'a duplicate that is journaled',
    })
    await world.start({ process: thisProcess() })
    gate.resolve(failed('AE'))
    const refusal = 'AE Duplicate message'
    expect(await Promise.all(duplicates)).toEqual([refusal, `CA, ${refusal}`, `CA, ${refusal}`, refusal])
  })

  it('is not taken by a copy that was taken for dead itself', async () => {
    await using world = await flowWorld({
      ...{ runStages: async () => parked(), flow: { leaseMs: 60_000 } },
      deps: { allowance: () => 0, process: trusting },
    })
    await world.code(sample({ controlId: 'A' }))
    const [copy] = await world.database.many<{ id: string }>(sql`delete from bridge.copies returning id`)
    const tomorrow = new Date(Date.now() + 86_400_000)
    const claimAs = (id: string) => claimDue(world.database, id, 10, tomorrow)
    expect(await claimAs(copy?.id ?? '')).toEqual([])
    await world.database.run(insertCopy('another', thisProcess(), 60_000))
    expect(await claimAs('another')).toHaveLength(1)
  })

  it('is taken over when its lease passes, and the late copy can finish nothing', async () => {
    const gate = Promise.withResolvers<Outcome>()
    await using world = await flowWorld()
    // At a pace of its own: in step with the other it would lengthen its lease just before each of its looks.
    const clock = { ...systemClock, sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms * 1.1, signal) }
    const slow = await world.start({ runStages: () => gate.promise, clock })
    const late = world.code(sample({ controlId: 'A' }), { copy: slow })
    await waitFor(async () => (await openWork(world)) === 1, { what: 'journaled' })
    const [work] = await world.database.many<{ copy: string }>(sql`select copy from bridge.open_work`)
    const isTakenOver = async () => {
      // Again and again, because the late copy may be quick enough to lengthen its lease once more.
      await world.database.run(sql`update bridge.copies set lease_until = 'epoch' where id = ${work?.copy ?? ''}`)
      return (await statuses(world))[0] === 'A SUCCESS AA 1'
    }
    await waitFor(isTakenOver, { what: 'taken over', everyMs: 50 })
    gate.resolve(parked())
    expect(await late).toContain('AE')
    expect(await statuses(world)).toEqual(['A SUCCESS AA 1'])
  })

  it('is written by nobody who wakes up after its lease, not even before a timer has told', async () => {
    let stoppedMs = 0
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + stoppedMs }
    const wrote: string[] = []
    const runStages = async (received: Received) => {
      if (received.run === 1) stoppedMs = 60_000
      received.checkHeld()
      wrote.push(`run ${received.run}`)
      return succeeded()
    }
    await using world = await flowWorld({ runStages, clock, flow: { leaseMs: 60_000 } })
    expect(await world.code(sample({ controlId: 'A' }))).toContain('AE')
    expect(wrote).not.toContain('run 1')
  })

  it('does not hold up a start: ten thousand messages are freed by one statement', async () => {
    await using world = await flowWorld()
    await world.database.run(sql`
      insert into bridge.raw_messages (transaction_id, channel_id, message_type, control_id, sending_application,
        sending_facility, patient_keys, peer, received_at, raw)
      select '20260101-000000000-X-' || n, 'adt', 'ADT^A08', 'R' || n, 'HIS', 'CENTRAL', '{}', '', now(),
        convert_to(replace(${sample({ controlId: 'NUMBER' })}, 'NUMBER', 'R' || n), 'UTF8')
      from generate_series(1, 10000) n`)
    await world.database.run(sql`
      insert into bridge.open_work (lane, ticket, transaction_id, channel_id, copy, is_main, attempt, attempt_limit, runs)
      select gen_random_uuid(), 1, '20260101-000000000-X-' || n, 'adt', 'gone', true, 1, 10, 1
      from generate_series(1, 10000) n`)
    const copy = await world.start()
    expect(await world.code(sample({ controlId: 'NOW' }), { copy })).toBe('AA')
    await waitFor(async () => (await openWork(world)) < 10_000, { what: 'the first ones done', deadlineMs: 20_000 })
  })
})

describe('the answer to what a dead copy left behind', () => {
  /** A copy that takes messages and runs nothing of others, and a message whose copy has died. */
  async function worldWith(message: string, runStages: () => Promise<Outcome>): Promise<FlowWorld> {
    const deps = { process: trusting, allowance: () => 0 }
    const world = await flowWorld({ runStages, flow: { leaseMs: 60_000 }, deps })
    const { copy, die } = await world.startMortal({ runStages: never, process: elsewhere })
    void world.send(message, { copy })
    await waitFor(async () => (await openWork(world)) === 1, { what: 'journaled' })
    await die()
    return world
  }

  /** Sees that the process is gone, and runs what it left. */
  const startAnother = (world: FlowWorld) =>
    world.start({ process: thisProcess(), allowance: () => Number.POSITIVE_INFINITY })

  const reply = (type: string) => parseMessage(`MSH|^~\\&|A|B|C|D|2026||${type}|9|P|2.5\rMSA|AA|A\rZZZ|whole\r`)
  it.each([
    ['QBP^Q22', reply('RSP^K22')],
    ['MFN^M02', reply('MFK^M02')],
  ])('is kept for the sender of %s, who comes again when it is through', async (type, whole) => {
    const message = sample({ controlId: 'A', type })
    await using world = await worldWith(message, async () => succeeded({ reply: whole }))
    await startAnother(world)
    await waitFor(async () => (await openWork(world)) === 0, { what: 'its end' })
    expect((await world.send(message)).map(({ text }) => text)).toEqual([whole.text])
    expect(await statuses(world)).toEqual(['A SUCCESS AA 1', 'A DUPLICATE AA 1'])
  })

  it.each([
    ['adt', 'ADT^A08', 'ACK'],
    ['qbp', 'QBP^Q22', 'RSP'],
    ['mfn', 'MFN^M02', 'MFK'],
  ] as const)('is told with its reasons to whoever waits for it on %s: %s gets %s', async (id, type, form) => {
    const gate = Promise.withResolvers<Outcome>()
    const message = sample({ controlId: 'A', type, modes: 'AL|AL' })
    await using world = await worldWith(message, () => gate.promise)
    const heard = waitingFor(world, id, message)
    await heard.isTaken
    await startAnother(world)
    gate.resolve(failed('AR'))
    const answer = await heard.last
    const paths = ['MSH-9.1', 'MSA-1', 'ERR-3', 'ERR-5'] as const
    expect(paths.map((path) => answer?.getText(path))).toEqual([form, 'AR', '207', 'CONSENT_DENIED'])
    expect(await statuses(world)).toEqual(['A ERROR AR 1', 'A DUPLICATE AR 1'])
  })

  /** One that is told CA, when it is known that it is a duplicate, and then what the first one is told. */
  function waitingFor(world: FlowWorld, id: ChannelId, text: string) {
    const taken = Promise.withResolvers<void>()
    const answers: Message[] = []
    const receiving = world.flow.receive({
      ...{ bytes: Buffer.from(text), channel: world.channel(id), markAccepted: () => {} },
      peer: { address: '127.0.0.1', port: 1, certificateName: undefined },
      send: async (answer) => {
        answers.push(parseMessage(answer))
        taken.resolve()
      },
    })
    return { isTaken: taken.promise, last: receiving.then(() => answers.at(-1)) }
  }
})

describe('a message that the store cannot take', () => {
  const quick = { adt: { retry: { maxAttempts: 3, baseMs: 1, maxMs: 1, multiplier: 1 } } }

  it('is tried as often as the rule says, then kept as failed, and holds up nobody after it', async () => {
    const attempts: number[] = []
    await using world = await flowWorld({
      channels: quick,
      runStages: async ({ message, attempt }) => {
        if (message.getText('MSH-10') !== 'A') return succeeded()
        attempts.push(attempt)
        return parked()
      },
    })
    expect(await world.code(sample({ controlId: 'A' }))).toBe('AA Queued')
    expect(await world.code(sample({ controlId: 'B' }))).toMatch(/^AA/)
    await waitFor(async () => (await openWork(world)) === 0, { what: 'no work left' })
    expect(attempts).toEqual([1, 2, 3])
    expect(await statuses(world)).toEqual(['A ERROR AA 3', 'B SUCCESS AA 1'])
    const kept = await world.database.many(sql`select attempt, status from bridge.attempts order by run limit 3`)
    expect(kept.length).toBeGreaterThanOrEqual(3)
  })

  it('does not lose an attempt while nobody is called', async () => {
    let open = true
    await using world = await flowWorld({
      channels: quick,
      runStages: async () => (open ? parked({ wasCalled: false }) : succeeded()),
    })
    expect(await world.code(sample({ controlId: 'A' }))).toBe('AA Queued')
    for (let round = 0; round < 5; round++) await world.flow.retries.drainNow()
    open = false
    await world.flow.retries.drainNow()
    await waitFor(async () => (await statuses(world))[0] === 'A SUCCESS AA 1', { what: 'through', everyMs: 50 })
  })

  it('is not tried while the circuit is open, and drained at once when it closes', async () => {
    let allowed = 0
    let runs = 0
    await using world = await flowWorld({
      channels: { adt: { retry: { maxAttempts: 10, baseMs: 3_600_000, maxMs: 3_600_000, multiplier: 1 } } },
      deps: { allowance: () => allowed },
      runStages: async () => (++runs <= 20 ? parked() : succeeded()),
    })
    for (let patient = 0; patient < 20; patient++) {
      await world.code(sample({ controlId: `P${patient}`, patient: `${patient}` }))
    }
    expect(await world.flow.retries.drainNow()).toBe(20)
    expect(runs).toBe(20)
    allowed = Number.POSITIVE_INFINITY
    world.flow.retries.wake()
    await waitFor(async () => (await openWork(world)) === 0, { what: 'drained' })
    expect(runs).toBe(40)
  })

  it('waits on when consent cannot be asked at its retry: its sender has an AA and sends it no more', async () => {
    const unanswered: Outcome = { ...failed('AE'), errorCode: 'CONSENT_UNAVAILABLE' }
    const outcomes: Outcome[] = [parked(), unanswered, succeeded(), parked(), failed('AR')]
    await using world = await flowWorld({ channels: quick, runStages: async () => outcomes.shift() ?? succeeded() })
    expect(await world.code(sample({ controlId: 'A' }))).toBe('AA Queued')
    await waitFor(async () => (await openWork(world)) === 0, { what: 'through' })
    expect(await world.code(sample({ controlId: 'B' }))).toBe('AA Queued')
    await waitFor(async () => (await openWork(world)) === 0, { what: 'refused' })
    expect(await statuses(world)).toEqual(['A SUCCESS AA 3', 'B ERROR AA 2'])
  })

  it.each([
    { how: 'CA and hears of no error', modes: 'AL|NE', told: 'CA', line: 'SUCCESS CA 2' },
    { how: 'CA and hears of success alone', modes: 'AL|SU', told: 'CA, AA Queued', line: 'SUCCESS AA 2' },
    { how: 'nothing at all', modes: 'NE|NE', told: '', line: 'SUCCESS 2' },
    { how: 'CA and then AE', modes: 'AL|AL', told: 'CA, AE No', line: 'ERROR AE 1' },
    { how: 'AA at once', channel: 'siu' as const, told: 'AA', line: 'SUCCESS AA 2' },
  ])(
    'waits when consent cannot be asked, unless its sender is told AE: one who is told $how',
    async ({ modes, channel, told, line }) => {
      const outcomes: Outcome[] = [{ ...failed('AE'), errorCode: 'CONSENT_UNAVAILABLE' }]
      const channels = { ...quick, siu: { ...quick.adt, ackMode: 'immediate' as const } }
      await using world = await flowWorld({ channels, runStages: async () => outcomes.shift() ?? succeeded() })
      const type = channel === undefined ? 'ADT^A08' : 'SIU^S12'
      expect(await world.code(sample({ controlId: 'A', type, ...(modes === undefined ? {} : { modes }) }))).toBe(told)
      await waitFor(async () => (await openWork(world)) === 0, { what: 'the end' })
      expect(await statuses(world)).toEqual([`A ${line}`])
    },
  )

  it('waits, after its copy has died, when its sender may have been told CA alone', async () => {
    const outcomes: Outcome[] = [{ ...failed('AE'), errorCode: 'CONSENT_UNAVAILABLE' }]
    const deps = { process: trusting }
    await using world = await flowWorld({
      ...{ channels: quick, flow: { leaseMs: 60_000 }, deps },
      runStages: async () => outcomes.shift() ?? succeeded(),
    })
    const { copy, die } = await world.startMortal({ runStages: never, process: elsewhere })
    expect(await world.code(sample({ controlId: 'A', modes: 'AL|NE' }), { copy })).toBe('CA')
    await die()
    await world.start({ process: thisProcess() })
    await waitFor(async () => (await openWork(world)) === 0, { what: 'the end' })
    expect(await statuses(world)).toEqual(['A SUCCESS 2'])
  })

  it('ends as an error of ours when its stages throw', async () => {
    await using world = await flowWorld({ runStages: () => Promise.reject(new Error('a bug')) })
    expect(await world.code(sample({ controlId: 'A' }))).toMatch(/^AE/)
    expect(await statuses(world)).toEqual(['A ERROR AE 1'])
  })
})
