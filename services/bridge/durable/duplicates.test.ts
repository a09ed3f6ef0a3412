import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { parseMessage, type Message } from '../../../packages/hl7/index.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { patientClock } from '../../../packages/testkit/patient-clock.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import type { Outcome } from '../pipeline/outcome.ts'
import { deadLetterGroups } from '../store/dead-letters.ts'
import { failed, flowWorld, parked, sample, succeeded, type FlowWorld } from '../testing/flow-world.ts'
import { retryTransactions } from './retry-transactions.ts'

const again = 'AA Duplicate message'

/** The log, the oldest first: control id, status, and whether another transaction is named. */
const log = async ({ database }: FlowWorld) =>
  (
    await database.many<{ line: string }>(sql`
      select concat_ws(' ', status, ack_code, case when parent_transaction_id is not null then 'of another' end,
        case when content_mismatch then 'other content' end) as line
      from bridge.transactions order by id`)
  ).map(({ line }) => line)

/** A world whose stages end as told, one message after the other. */
async function worldOf(...outcomes: readonly Outcome[]) {
  const runs: string[] = []
  const clock = new SimulatedClock()
  const world = await flowWorld({
    clock,
    runStages: async ({ message, wasRefused }) => {
      runs.push(`${message.getText('MSH-10')}${wasRefused ? ' after a refusal' : ''}`)
      return outcomes[runs.length - 1] ?? succeeded()
    },
  })
  return { world, runs, clock }
}

/** A world whose stages end when the gate is opened, with what it is opened with. */
async function heldWorld() {
  const gate = Promise.withResolvers<Outcome>()
  const begun = Promise.withResolvers<void>()
  const world = await flowWorld({
    runStages: () => {
      begun.resolve()
      return gate.promise
    },
  })
  return { world, begun, gate }
}

describe('the same control id again', () => {
  const first = sample({ controlId: 'A1' })

  const cases = [
    {
      name: 'after AA',
      outcome: succeeded(),
      answers: ['AA', again],
      runs: ['A1'],
      log: ['SUCCESS AA', 'DUPLICATE AA of another'],
    },
    {
      name: 'after AE',
      outcome: failed('AE'),
      answers: ['AE No', 'AA'],
      runs: ['A1', 'A1 after a refusal'],
      log: ['ERROR AE', 'SUCCESS AA of another'],
    },
    {
      name: 'after AR',
      outcome: failed('AR'),
      answers: ['AR No', 'AA'],
      runs: ['A1', 'A1 after a refusal'],
      log: ['ERROR AR', 'SUCCESS AA of another'],
    },
    {
      name: 'while parked',
      outcome: parked(),
      answers: ['AA Queued', again],
      runs: ['A1'],
      log: ['QUEUED AA', 'DUPLICATE AA of another'],
    },
  ]
  it.each(cases)('$name', async ({ outcome, answers, runs: expected, log: lines }) => {
    const { world, runs, clock } = await worldOf(outcome)
    await using _ = world
    const heard = [await world.code(first)]
    // Later, but before one that is parked may be due again.
    clock.jump(100)
    heard.push(await world.code(first))
    expect(heard).toEqual(answers)
    expect(runs).toEqual(expected)
    expect(await log(world)).toEqual(lines)
  })

  it('is another message when another facility or application sent it', async () => {
    const { world, runs } = await worldOf()
    await using _ = world
    const others = [
      { facility: 'LAKESIDE' },
      { application: 'LIS' },
      { facility: 'CENTRAL^1.2.3^ISO' },
      { facility: '^1.2.3^ISO' },
      { facility: '^1.2.4^ISO' },
    ]
    expect(await world.code(first)).toBe('AA')
    for (const other of others) expect(await world.code(sample({ controlId: 'A1', ...other }))).toBe('AA')
    expect(runs).toHaveLength(6)
  })

  it.each(['^', '~', '&'])('is compared to its end, also behind a %s', async (separator) => {
    const { world, runs } = await worldOf()
    await using _ = world
    const ids = [`A1${separator}1`, `A1${separator}2`, `A1${separator}1`]
    const heard: string[] = []
    for (const controlId of ids) heard.push(await world.code(sample({ controlId })))
    expect(heard).toEqual(['AA', 'AA', again])
    expect(runs).toHaveLength(2)
    const logged = sql`select control_id as "controlId" from bridge.transactions order by control_id`
    expect(await world.database.many(logged)).toEqual(ids.toSorted().map((controlId) => ({ controlId })))
  })

  it('is another message after 24 hours, and not a moment before', async () => {
    const { world, runs, clock } = await worldOf()
    await using _ = world
    await world.code(first)
    clock.jump(24 * 3_600_000 - 1_000)
    expect(await world.code(first)).toBe(again)
    clock.jump(1_000)
    expect(await world.code(first)).toBe('AA')
    expect(runs).toHaveLength(2)
    expect((await log(world)).filter((line) => line === 'SUCCESS AA')).toHaveLength(2)
  })

  it('is a duplicate with other content too, but flagged, and its bytes are kept', async () => {
    const { world, runs } = await worldOf()
    await using _ = world
    await world.code(first)
    expect(await world.code(sample({ controlId: 'A1', patient: '2' }))).toBe(again)
    expect(runs).toHaveLength(1)
    expect(await log(world)).toContain('DUPLICATE AA of another other content')
    expect(await world.database.many(sql`select 1 from bridge.raw_messages`)).toHaveLength(2)
  })

  it.each([
    ['AA', succeeded(), again],
    ['AE', failed('AE'), 'AE Duplicate message'],
  ] as const)('waits for the first one and gets its code: %s', async (code, outcome, expected) => {
    const { world, begun, gate } = await heldWorld()
    await using _ = world
    const one = world.code(first)
    await begun.promise
    const others = [world.code(first), world.code(first)]
    gate.resolve(outcome)
    expect(await one).toMatch(new RegExp(`^${code}`))
    expect(await Promise.all(others)).toEqual([expected, expected])
  })

  it.each(['in this copy', 'in another copy'])(
    'is told what is wrong with the first one, which ran %s',
    async (where) => {
      const { world, begun, gate } = await heldWorld()
      await using _ = world
      const copy = where === 'in this copy' ? world.flow : await world.start()
      const one = world.send(first)
      await begun.promise
      const other = world.send(first, { copy })
      await waitUntilSeen(world)
      gate.resolve(failed('AE'))
      const reasons = (answers: readonly Message[]) =>
        answers.map((answer) => answer.segments('ERR').map(({ raw }) => raw))
      expect(reasons(await other)).toEqual(reasons(await one))
      expect((await other).map((answer) => [answer.getText('MSA-3'), answer.getText('ERR-5')])).toEqual([
        ['Duplicate message', 'CONSENT_DENIED'],
      ])
    },
  )

  it('waits for the first one also when another copy works on it', async () => {
    const { world, begun, gate } = await heldWorld()
    await using _ = world
    const copy = await world.start()
    const one = world.code(first)
    await begun.promise
    const other = world.code(first, { copy })
    await waitUntilSeen(world)
    gate.resolve(succeeded())
    expect([await one, await other]).toEqual(['AA', again])
  })

  it('is refused like the first one, also when it has seen only another duplicate of it', async () => {
    const { world, begun, gate } = await heldWorld()
    await using _ = world
    const copy = await world.start()
    const one = world.code(first)
    await begun.promise
    const two = world.code(first, { copy })
    await waitUntilSeen(world)
    // The third one finds the second one in its copy, and its connection is so slow that the second one ends meanwhile.
    const [taken, secondIsThrough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const heard: string[] = []
    const three = copy.receive({
      bytes: Buffer.from(sample({ controlId: 'A1', modes: 'AL|AL' })),
      ...{ channel: world.channel('adt'), peer: { address: '', port: 1, certificateName: undefined } },
      send: async (answer) => {
        heard.push(parseMessage(answer).getText('MSA-1') ?? '')
        taken.resolve()
        await secondIsThrough.promise
      },
      markAccepted: () => {},
    })
    await taken.promise
    gate.resolve(failed('AE'))
    expect([await one, await two]).toEqual(['AE No', 'AE Duplicate message'])
    secondIsThrough.resolve()
    await three
    expect(heard).toEqual(['CA', 'AE'])
  })

  it('gets the whole answer of a query once more', async () => {
    const reply = parseMessage('MSH|^~\\&|A|B|C|D|2026||RSP^K22|9|P|2.5\rMSA|AA|Q1\rQAK|1|OK\rPID|1||42\r')
    const { world, runs } = await worldOf(succeeded({ reply }))
    await using _ = world
    const query = sample({ controlId: 'Q1', type: 'QBP^Q22' })
    await world.send(query)
    const [answer] = await world.send(query)
    expect(answer?.get('PID-3')).toBe('42')
    expect(runs).toHaveLength(1)
  })

  it('is another query with other content, however soon: nobody is told what somebody else has asked', async () => {
    const begun: string[] = []
    const gate = Promise.withResolvers<void>()
    await using world = await flowWorld({
      runStages: async ({ message }) => {
        const tag = message.getText('QPD-2') ?? ''
        begun.push(tag)
        await gate.promise
        const header = 'MSH|^~\\&|A|B|C|D|2026||RSP^K22|9|P|2.5'
        return succeeded({ reply: parseMessage(`${header}\rMSA|AA|Q1\rQAK|${tag}|OK\r`) })
      },
    })
    const ask = async (tag: string, rest = '') => {
      const query = `QPD|IHE PDQ Query|${tag}|@PID.5.1^DOE\r${rest}`
      const [answer] = await world.send(sample({ controlId: 'Q1', type: 'QBP^Q22', rest: query }))
      return answer?.getText('QAK-1')
    }
    const together = [ask('one'), ask('two'), ask('one')]
    await waitFor(async () => begun.length === 2, { what: 'two of the three' })
    gate.resolve()
    expect(await Promise.all(together)).toEqual(['one', 'two', 'one'])
    expect([await ask('one'), await ask('two'), await ask('three'), await ask('three', 'DSC|10|I\r')]).toEqual([
      ...['one', 'two', 'three', 'three'],
    ])
    expect(begun.toSorted()).toEqual(['one', 'three', 'three', 'two'])
    expect((await log(world)).toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => 'DUPLICATE AA of another'),
      ...Array.from({ length: 4 }, () => 'SUCCESS AA'),
    ])
  })

  it.each(['this copy', 'another copy'])(
    'with other content gets no answer to records that it does not hold, from %s',
    async (where) => {
      const reply = parseMessage('MSH|^~\\&|A|B|C|D|2026||MFK^M02|9|P|2.5\rMSA|AA|M1\rMFI|STF\rMFA|MAD|R1||S\r')
      const { world, begun, gate } = await heldWorld()
      await using _ = world
      const copy = where === 'this copy' ? world.flow : await world.start()
      const file = sample({ controlId: 'M1', type: 'MFN^M02' })
      const other = sample({ controlId: 'M1', type: 'MFN^M02', rest: 'MFI|PRA\r' })
      const one = world.send(file)
      await begun.promise
      const two = world.send(other, { copy })
      await waitUntilSeen(world)
      // It finds the second one in its copy, and is the same as the first.
      const three = world.send(file, { copy })
      gate.resolve(succeeded({ reply }))
      const heard = [...(await Promise.all([one, two, three])), await world.send(other)]
      expect(heard.map(([answer]) => `${answer?.getText('MSH-9.1')} ${answer?.getText('MSA-1')}`)).toEqual([
        ...['MFK AA', 'ACK AA', 'MFK AA', 'ACK AA'],
      ])
    },
  )

  it.each(['this copy', 'another copy'])('gets the whole answer to a failure that %s told of', async (where) => {
    const reply = parseMessage('MSH|^~\\&|A|B|C|D|2026||MFK^M02|9|P|2.5\rMSA|AE|M1|1 of 2\rMFI|STF\rMFA|MAD|R1||S\r')
    const { world, begun, gate } = await heldWorld()
    await using _ = world
    const copy = where === 'this copy' ? world.flow : await world.start()
    const file = sample({ controlId: 'M1', type: 'MFN^M02' })
    const one = world.send(file)
    await begun.promise
    const two = world.send(file, { copy })
    await waitUntilSeen(world)
    gate.resolve({ ...failed('AE'), reply })
    expect((await Promise.all([one, two])).map(([answer]) => answer?.text)).toEqual([reply.text, reply.text])
    expect(await log(world)).toEqual(['ERROR AE', 'DUPLICATE AE of another'])
  })

  it('is processed once however many come at the same moment', async () => {
    const { world, runs } = await worldOf()
    await using _ = world
    const codes = await Promise.all(Array.from({ length: 200 }, () => world.code(first)))
    expect(runs).toEqual(['A1'])
    expect(codes.filter((code) => code === 'AA')).toHaveLength(1)
    expect(codes.filter((code) => code === again)).toHaveLength(199)
    expect(await log(world)).toHaveLength(200)
  })
})

describe('the same control id after an operator had it run again', () => {
  const first = sample({ controlId: 'A1' })

  const retriesOf = (world: FlowWorld) =>
    retryTransactions({
      ...{ database: world.database, clock: patientClock, queue: world.flow.retries },
      channelOf: (id) => world.channel(id),
    })

  /** What came first. */
  const firstOf = async ({ database }: FlowWorld) => {
    const { id } = await database.one<{ id: string }>(sql`select id from bridge.transactions order by id limit 1`)
    return id
  }

  /** One after the other, a second apart: what came first has the least id. */
  const heardFor = async (messages: readonly string[], { world, clock }: Awaited<ReturnType<typeof worldOf>>) => {
    const heard: string[] = []
    for (const message of messages) {
      clock.jump(1_000)
      heard.push(await world.code(message))
    }
    return heard
  }

  it('is a duplicate of what its header had refused', async () => {
    const adt: { defaultFacility?: string } = {}
    await using world = await flowWorld({ channels: { adt } })
    const nameless = sample({ controlId: 'A1', facility: '' })
    expect(await world.code(nameless)).toBe('AE MSH-4, the sending facility, is missing.')
    adt.defaultFacility = 'CENTRAL'
    const answer = await retriesOf(world).retry(await firstOf(world), 'admin')
    expect(answer).toMatchObject({ transaction: { status: 'SUCCESS' } })
    expect(await world.code(nameless)).toBe(again)
    expect(await log(world)).toEqual(['SUCCESS AE', 'DUPLICATE AA of another'])
  })

  it('is a master file anew, for which nothing but the refusal is stored', async () => {
    const processingIds = ['P']
    await using world = await flowWorld({ channels: { mfn: { processingIds } } })
    const file = sample({ controlId: 'M1', type: 'MFN^M02' }).replace('|P|', '|T|')
    expect(await world.code(file)).toMatch(/^AR/)
    processingIds.push('T')
    const answer = await retriesOf(world).retry(await firstOf(world), 'admin')
    expect(answer).toMatchObject({ transaction: { status: 'SUCCESS' } })
    expect(await world.code(file)).toBe('AA')
  })

  it('waits for its end while the circuit is open, and does not run beside it', async () => {
    let allowed = Number.POSITIVE_INFINITY
    const outcomes: Outcome[] = [failed('AE')]
    let runs = 0
    await using world = await flowWorld({
      deps: { allowance: () => allowed },
      runStages: async () => {
        runs++
        return outcomes.shift() ?? succeeded()
      },
    })
    await world.code(first)
    allowed = 0
    expect(await retriesOf(world).begin(await firstOf(world), 'admin')).toBe(true)
    const second = world.code(first)
    const tickets = () =>
      world.database.one<{ most: number }>(sql`select max(last_ticket)::int as most from bridge.lanes`)
    await waitFor(async () => (await tickets()).most === 3, { what: 'the second one is through the journal' })
    allowed = Number.POSITIVE_INFINITY
    world.flow.retries.wake()
    expect(await second).toBe(again)
    expect(runs).toBe(2)
  })

  it.each(['waits for its turn', 'is at work'])(
    'is told AA while one that was taken %s, however that ends',
    async (how) => {
      const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<Outcome>()]
      let [allowed, runs] = [Number.POSITIVE_INFINITY, 0]
      await using world = await flowWorld({
        ...{ deps: { allowance: () => allowed }, flow: { answerWithinMs: 5_000 } },
        runStages: async () => {
          if (++runs === 1) return succeeded()
          begun.resolve()
          return gate.promise
        },
      })
      const elsewhere = await world.start({ allowance: () => 0 })
      expect(await world.code(first)).toBe('AA')
      if (how === 'waits for its turn') allowed = 0
      expect(await retriesOf(world).rerun([await firstOf(world)], 'admin')).toBe(1)
      if (how === 'is at work') await begun.promise
      expect([await world.code(first), await world.code(first, { copy: elsewhere })]).toEqual([again, again])
      allowed = Number.POSITIVE_INFINITY
      world.flow.retries.wake()
      gate.resolve(failed('AE'))
      await waitFor(async () => (await log(world)).includes('ERROR AA'), { what: 'its end' })
      expect(runs).toBe(2)
    },
  )

  it('is told AA while one waits that succeeded without a word, because its sender hears of failures alone', async () => {
    let allowed = Number.POSITIVE_INFINITY
    await using world = await flowWorld({ deps: { allowance: () => allowed }, flow: { answerWithinMs: 2_000 } })
    const silent = sample({ controlId: 'A1', modes: 'NE|ER' })
    expect(await world.code(silent)).toBe('')
    allowed = 0
    await retriesOf(world).rerun([await firstOf(world)], 'admin')
    expect(await world.code(silent)).toBe('')
  })

  it('is a master file anew, of which the refusal is stored and a retry has helped it through', async () => {
    const reply = parseMessage('MSH|^~\\&|A|B|C|D|2026||MFK^M02|9|P|2.5\rMSA|AE|M1|1 of 2\rMFI|STF\rMFA|MAD|R1||S\r')
    const outcomes: Outcome[] = [{ ...failed('AE'), reply }]
    await using world = await flowWorld({ runStages: async () => outcomes.shift() ?? succeeded() })
    const file = sample({ controlId: 'M1', type: 'MFN^M02' })
    expect(await world.code(file)).toBe('AE 1 of 2')
    const answer = await retriesOf(world).retry(await firstOf(world), 'admin')
    expect(answer).toMatchObject({ transaction: { status: 'SUCCESS' } })
    expect(await world.code(file)).toBe('AA')
  })

  it('is a duplicate also of the older of two that were refused with the same bytes', async () => {
    const place = await worldOf(failed('AE'), failed('AE'))
    const { world, runs } = place
    await using _ = world
    expect(await heardFor([first, first], place)).toEqual(['AE No', 'AE No'])
    await retriesOf(world).retry(await firstOf(world), 'admin')
    expect(await world.code(first)).toBe(again)
    expect(runs).toHaveLength(3)
  })

  it('is no duplicate where its own content was refused and another’s was run', async () => {
    const place = await worldOf(failed('AE'), failed('AE'))
    const { world, runs } = place
    await using _ = world
    const other = sample({ controlId: 'A1', patient: '2' })
    expect(await heardFor([first, other], place)).toEqual(['AE No', 'AE No'])
    await retriesOf(world).retry(await firstOf(world), 'admin')
    expect(await world.code(other)).toBe('AA')
    expect(runs).toHaveLength(4)
  })

  it('stays a duplicate of the newer one that was taken, however the older one ends', async () => {
    const place = await worldOf(failed('AE'), succeeded(), failed('AE'))
    const { world, runs } = place
    await using _ = world
    expect(await heardFor([first, first], place)).toEqual(['AE No', 'AA'])
    const answer = await retriesOf(world).retry(await firstOf(world), 'admin')
    expect(answer).toMatchObject({ transaction: { status: 'ERROR', attempts: 2 } })
    expect(await world.code(first)).toBe(again)
    expect(runs).toHaveLength(3)
  })

  it('is another message 24 hours after the first receipt, whenever that was run again', async () => {
    const { world, runs, clock } = await worldOf(failed('AE'))
    await using _ = world
    await world.code(first)
    clock.jump(23 * 3_600_000)
    await retriesOf(world).retry(await firstOf(world), 'admin')
    expect(await world.code(first)).toBe(again)
    clock.jump(3_600_000)
    expect(await world.code(first)).toBe('AA')
    expect(runs).toHaveLength(3)
  })
})

/** The second copy's transaction is through the journal: duplicates take tickets too. It looks for the first one's end now. */
async function waitUntilSeen({ copies, database }: FlowWorld): Promise<void> {
  if (copies.length === 1) return
  const tickets = () => database.one<{ most: number }>(sql`select max(last_ticket)::int as most from bridge.lanes`)
  await waitFor(async () => (await tickets()).most > 1, { what: 'the duplicate is known' })
}

describe('what its header refuses, and is sent again', () => {
  const refused = sample({ controlId: 'A1', type: 'ORU^R01' })
  const adt = { channel: 'adt' } as const
  const deadLetters = async ({ database }: FlowWorld) =>
    (await deadLetterGroups(10, database)).map(({ count }) => count)

  it('is one dead letter, the last, and each names the one before it', async () => {
    const { world, clock } = await worldOf()
    await using _ = world
    for (let times = 0; times < 3; times++) {
      expect(await world.code(refused, adt)).toMatch(/^AR/)
      clock.jump(60_000)
    }
    const repeated = 'ERROR AR of another'
    expect(await log(world)).toEqual(['ERROR AR', repeated, repeated])
    const newest = await world.database.one<{ id: string }>(sql`select max(id) as id from bridge.transactions`)
    expect(await deadLetterGroups(10, world.database)).toMatchObject([{ count: 1, lastId: newest.id }])
    await Promise.all([world.code(refused, adt), world.code(refused, adt), world.code(refused, adt)])
    expect((await log(world)).filter((line) => line === repeated)).toHaveLength(5)
    expect(await deadLetters(world)).toEqual([1])
  })

  it('is the same where its sender writes the time of each try into MSH-7, and nothing else has changed', async () => {
    const { world, clock } = await worldOf()
    await using _ = world
    await world.code(refused, adt)
    for (const time of ['20260305', '20260306081500.123+0300', '']) {
      clock.jump(60_000)
      await world.code(refused.replace('|20260304|', `|${time}|`), adt)
    }
    const repeated = 'ERROR AR of another'
    expect(await log(world)).toEqual(['ERROR AR', repeated, repeated, repeated])
    await world.code(refused.replace('|20260304|', '|20260307|').replace('DOE', 'ROE'), adt)
    await world.code(refused.replace('|20260304||', '|20260307|secret|'), adt)
    expect(await deadLetters(world)).toEqual([3])
  })

  it('is another one with other bytes, on another channel or for another reason', async () => {
    const { world } = await worldOf()
    await using _ = world
    await world.code(refused, adt)
    await world.code(sample({ controlId: 'A1', type: 'ORU^R01', patient: '2' }), adt)
    await world.code(refused, { channel: 'siu' })
    expect(await log(world)).toEqual(['ERROR AR', 'ERROR AR', 'ERROR AR'])
    expect(await deadLetters(world)).toEqual([3])
  })
})
