import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock, type Clock } from '../../../packages/clock/clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { failed, flowWorld, parked, sample, succeeded, type FlowWorld } from '../testing/flow-world.ts'
import type { DurableStore } from './durable-store.ts'
import { sqlDurableStore } from './sql-durable-store.ts'

/** Nobody waits for half a minute to see that a database does not come back. A lease is shorter, and stays as it is. */
const hastyClock: Clock = {
  ...systemClock,
  deadline: (ms, reason) => systemClock.deadline(ms > 20_000 ? ms / 8 : ms, reason),
}

describe('the answers to a message', () => {
  let world: FlowWorld

  beforeAll(async () => {
    world = await flowWorld({
      channels: {
        oru: { ackMode: 'enhanced' },
        siu: { ackMode: 'immediate' },
        qbp: { ackMode: 'immediate' },
        mfn: { ackMode: 'immediate' },
      },
      runStages: async ({ message }) => (message.getText('PID-3') === 'refused' ? failed('AR') : succeeded()),
    })
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const modes = [
    { asked: undefined, good: 'AA', bad: 'AR No' },
    { asked: 'AL|AL', good: 'CA, AA', bad: 'CA, AR No' },
    { asked: 'AL|NE', good: 'CA', bad: 'CA' },
    { asked: 'NE|AL', good: 'AA', bad: 'AR No' },
    { asked: 'NE|ER', good: '', bad: 'AR No' },
    { asked: 'NE|SU', good: 'AA', bad: '' },
    { asked: 'ER|AL', good: 'AA', bad: 'AR No' },
    { asked: 'NE|NE', good: '', bad: '' },
  ]
  it.each(modes)('are $good or $bad when MSH-15 and MSH-16 are $asked', async ({ asked, good, bad }) => {
    const send = (patient: string) =>
      world.code(
        sample({
          controlId: `${asked?.replace('|', '-')}-${patient}`,
          patient,
          ...(asked === undefined ? {} : { modes: asked }),
        }),
      )
    expect([await send('fine'), await send('refused')]).toEqual([good, bad])
  })

  it('that a message got are in the log and counted: CA, too, where nothing follows it', async () => {
    const metrics = new Metrics()
    const copy = await world.start({ metrics })
    const only = sample({ controlId: 'CA-only', modes: 'AL|NE' })
    for (const text of [only, only, sample({ controlId: 'CA-and', modes: 'AL|AL' })]) await world.code(text, { copy })
    const rows = () =>
      world.database.many<{ code: string | null; ack: string | null }>(sql`
        select t.ack_code as code, convert_from(a.ack, 'UTF8') as ack from bridge.transactions t
        left join bridge.answers a on a.transaction_id = t.id where t.control_id like 'CA-%' order by t.id`)
    await waitFor(async () => (await rows()).filter(({ code }) => code !== null).length === 3, { what: 'the ends' })
    expect((await rows()).map(({ code, ack }) => [code, /MSA\|(..)/.exec(ack ?? '')?.[1]])).toEqual([
      ['CA', 'CA'],
      ['CA', 'CA'],
      ['AA', 'AA'],
    ])
    expect(await metrics.text()).toContain('corridor_bridge_answers_total{channel="adt",code="CA"} 2')
    expect(await metrics.text()).toContain('corridor_bridge_answers_total{channel="adt",code="AA"} 1')
  })

  it('are CA, then AA on a channel in enhanced mode', async () => {
    expect(await world.code(sample({ controlId: 'E', type: 'ORU^R01' }))).toBe('CA, AA')
  })

  it('are AA at once, and nothing later, on a channel in immediate mode', async () => {
    expect(await world.code(sample({ controlId: 'I', type: 'SIU^S12', patient: 'refused' }))).toBe('AA')
    const status = () =>
      world.database.maybe<{ status: string }>(sql`
      select status from bridge.transactions where control_id = 'I'`)
    await waitFor(async () => (await status())?.status === 'ERROR', { what: 'the end' })
  })

  it.each([
    ['QBP^Q22', 'QPD|IHE PDQ Query|q1|@PID.5.1^DOE'],
    ['MFN^M02', 'MFI|PRA||UPD|||AL\rMFE|MAD|1|20260304|D77'],
  ])('are what was asked for, also on a channel in immediate mode: %s', async (type, rest) => {
    expect(await world.code(sample({ controlId: `I ${type}`, type, patient: 'refused', rest }))).toBe('AR No')
  })

  it('are CR for a message that a sender in enhanced mode cannot send here', async () => {
    const text = sample({ controlId: 'W', type: 'ORU^R01', modes: 'AL|AL' })
    expect(await world.code(text, { channel: 'adt' })).toBe('CR The message type ORU is not taken here, only ADT, VXU.')
  })

  it('are CR for bytes that nobody can read on a channel in enhanced mode, on the wire as in the log', async () => {
    const told = 'CR The message does not begin with an MSH segment.'
    expect(await world.code('hello', { channel: 'oru' })).toBe(told)
    const last = sql`
      select t.ack_code as code, convert_from(a.ack, 'UTF8') as ack from bridge.transactions t
      join bridge.answers a on a.transaction_id = t.id where t.error_code = 'PARSE_ERROR' and t.channel_id = 'oru'`
    expect(await world.database.many(last)).toEqual([
      { code: 'CR', ack: expect.stringContaining('MSA|CR||') as string },
    ])
  })

  it.each([
    { asked: 'AL|NE', told: 'CR' },
    { asked: 'AL|AL', told: 'CR' },
    { asked: 'NE|AL', told: 'AR' },
    { asked: undefined, told: 'AR' },
  ])('are $told for an event that is not taken when MSH-15 and MSH-16 are $asked', async ({ asked, told }) => {
    const given = asked === undefined ? {} : { modes: asked }
    const text = sample({ controlId: `Z-${told}-${asked?.length ?? 0}`, type: 'ADT^Z99', ...given })
    expect(await world.code(text)).toBe(`${told} This event is not taken on the ADT channel.`)
  })

  const away = [
    { asked: undefined, told: /^AE/ },
    { asked: 'NE|AL', told: /^AE/ },
    { asked: 'AL|AL', told: /^CE[^,]*$/ },
    { asked: 'AL|NE', told: /^CE/ },
    { asked: 'NE|SU', told: /^$/ },
    { asked: 'NE|NE', told: /^$/ },
    { asked: undefined, type: 'ORU^R01', told: /^CE[^,]*$/ },
    { asked: 'NE|NE', type: 'SIU^S12', told: /^AE/ },
  ]
  it.each(away)('are $told without a database, when $asked are asked on $type', async ({ asked, type, told }) => {
    const { copy, die } = await world.startMortal()
    await die()
    const given = { ...(asked && { modes: asked }), ...(type && { type }) }
    const text = sample({ controlId: 'away', ...given })
    expect(await world.code(text, { copy })).toMatch(told)
    const channel = type === undefined ? 'adt' : type === 'ORU^R01' ? 'oru' : 'siu'
    expect(await world.code(`BHS|^~\\&\r${text}BTS|1\r`, { copy, channel })).toMatch(told)
  })

  // All at once: each waits for the database as long as the flow does.
  it.concurrent.each([
    { asked: 'AL|AL', told: /^CA, AE/ },
    { asked: 'AL|SU', told: /^CA$/ },
    { asked: 'ER|AL', told: /^AE[^,]*$/ },
    { asked: 'ER|ER', told: /^AE[^,]*$/ },
    { asked: 'ER|SU', told: /^$/ },
    { asked: 'ER|NE', told: /^$/ },
  ])('are $told when the database goes after the journal, and $asked are asked', async ({ asked, told }) => {
    const heard = async (controlId: string, wrap: (text: string) => string) => {
      const { copy, die } = await world.startMortal({
        clock: hastyClock,
        runStages: async () => {
          await die()
          return succeeded()
        },
      })
      // A patient of its own: what a dead copy holds keeps others waiting.
      return world.code(wrap(sample({ controlId, patient: controlId, modes: asked })), { copy, channel: 'adt' })
    }
    const name = asked.replace('|', '-')
    const alone = heard(`alone-${name}`, (text) => text)
    const inBatch = heard(`batch-${name}`, (text) => `BHS|^~\\&\r${text}BTS|1\r`)
    expect(await Promise.all([alone, inBatch])).toEqual([expect.stringMatching(told), expect.stringMatching(told)])
  })

  it.each([
    { asked: 'AL|AL', type: 'ADT^A08', told: /^CE[^,]*$/ },
    { asked: 'AL|NE', type: 'ADT^A08', told: /^CE[^,]*$/ },
    { asked: undefined, type: 'SIU^S12', told: /^AE[^,]*$/ },
  ])('are $told to both of two where the first is not journaled, on $type with $asked', async (given) => {
    const { asked, type, told } = given
    const [journaling, failing] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()]
    const journal = () => {
      journaling.resolve()
      return failing.promise
    }
    const copy = await world.start({ durable: { ...sqlDurableStore(world.database), journal } })
    const text = sample({ controlId: `twice-${asked?.replace('|', '-')}`, type, ...(asked && { modes: asked }) })
    const both = [world.code(text, { copy }), world.code(text, { copy })]
    await journaling.promise
    failing.reject(unavailable('The database is away.'))
    expect(await Promise.all(both)).toEqual([expect.stringMatching(told), expect.stringMatching(told)])
    expect(await world.database.many(sql`select from bridge.all_transactions where control_id like 'twice-%'`)).toEqual(
      [],
    )
  })

  it('come one for each message of a batch, in order', async () => {
    const batch = ['BHS|^~\\&\r', ...['B1', 'B2', 'B3'].map((controlId) => sample({ controlId })), 'BTS|3\r'].join('')
    const answers = await world.send(batch, { channel: 'adt' })
    expect(answers.map((answer) => `${answer.getText('MSA-1')} ${answer.getText('MSA-2')}`)).toEqual([
      'AA B1',
      'AA B2',
      'AA B3',
    ])
  })

  it('are AE for the one of a batch that cannot be written down, which is counted and told of like one that comes alone', async () => {
    const captured = capturedLog()
    const metrics = new Metrics()
    const tables = sqlDurableStore(world.database)
    const journal: DurableStore['journal'] = async (entries, options) => {
      if (entries.some(({ header }) => header.controlId === 'lost')) throw unavailable('The database is away.')
      return tables.journal(entries, options)
    }
    const copy = await world.start({ durable: { ...tables, journal }, log: captured.log, metrics })
    const counted = async () => /messages_not_taken_total{channel="adt"} (\d)/.exec(await metrics.text())?.[1]
    expect(await counted()).toBe('0')
    const batch = ['BHS|^~\\&\r', ...['K1', 'lost', 'K3'].map((controlId) => sample({ controlId })), 'BTS|3\r'].join('')
    expect(await world.code(batch, { copy })).toMatch(/^AA, AE[^,]*, AA$/)
    expect(await counted()).toBe('1')
    const told = { channel: 'adt', host: '127.0.0.1', faultKind: 'unavailable', error: 'The database is away.' }
    expect(captured.events('bridge.message-of-batch-failed')).toMatchObject([told])
    expect(await world.code(sample({ controlId: 'lost' }), { copy })).toMatch(/^AE/)
    expect(await counted()).toBe('2')
  })

  it('are AR for a batch without messages, whose bytes are kept', async () => {
    const batch = 'FHS|^~\\&\rBHS|^~\\&\rBTS|0\rFTS|1\r'
    expect(await world.code(batch, { channel: 'rde' })).toMatch(/^AR This is a batch/)
    const kept = sql`select t.error_code, convert_from(m.raw, 'UTF8') as raw from bridge.transactions t
      join bridge.raw_messages m on m.transaction_id = t.id where t.channel_id = 'rde'`
    expect(await world.database.many(kept)).toEqual([{ error_code: 'PARSE_ERROR', raw: batch }])
  })

  it('say nothing of a batch that counts other messages than there are; the log does, and each transaction', async () => {
    const captured = capturedLog()
    const copy = await world.start({ log: captured.log })
    const batch = `BHS|^~\\&\r${sample({ controlId: 'B4' })}${sample({ controlId: 'B5' })}BTS|7\r`
    expect(await world.code(batch, { channel: 'adt', copy })).toBe('AA, AA')
    expect(captured.events('bridge.batch-differs')).toMatchObject([
      { channel: 'adt', error: 'BTS-1 counts 7 messages, but there are 2.' },
    ])
    expect(await warningsOf('B4', 'B5', 'B1')).toEqual([{}, { 'batch-differs': 1 }, { 'batch-differs': 1 }])
  })

  it('are told of a batch that differs also when its messages have waited', async () => {
    const copy = await world.start({ runStages: async ({ attempt }) => (attempt === 1 ? parked() : succeeded()) })
    const batch = `BHS|^~\\&\r${sample({ controlId: 'B6', patient: 'waits' })}BTS|1\rFTS|3\r`
    expect(await world.code(batch, { channel: 'adt', copy })).toMatch(/^AA Queued/)
    const ended = sql`select from bridge.transactions where control_id = 'B6' and status = 'SUCCESS'`
    await waitFor(async () => (await world.database.many(ended)).length > 0, { what: 'the end of the message' })
    expect(await warningsOf('B6')).toEqual([{ 'batch-differs': 1 }])
  })

  const warningsOf = async (...controlIds: readonly string[]) =>
    (
      await world.database.many<{ warnings: object }>(
        sql`select warnings from bridge.transactions where control_id = any(${controlIds}::text[]) order by control_id`,
      )
    ).map(({ warnings }) => warnings)

  const refusals = [
    { name: 'no message at all', text: 'hello', answer: 'AR The message does not begin with an MSH segment.' },
    {
      name: 'the wrong type',
      text: sample({ controlId: '1', type: 'ORU^R01' }),
      answer: 'AR The message type ORU is not taken here, only ADT, VXU.',
    },
    { name: 'no control id', text: sample({ controlId: '' }), answer: 'AE MSH-10, the control id, is missing.' },
    {
      name: 'no facility',
      text: sample({ controlId: '2', facility: '' }),
      answer: 'AE MSH-4, the sending facility, is missing.',
    },
    {
      name: 'training',
      text: sample({ controlId: '3' }).replace('|P|', '|T|'),
      answer: 'AR The processing id T is not taken here, only P.',
    },
  ]
  it.each(refusals)('refuse $name, and the log has it with its bytes', async ({ text, answer }) => {
    expect(await world.code(text, { channel: 'adt' })).toBe(answer)
    const [row] = await world.database.many(sql`
      select t.status, t.stage, convert_from(m.raw, 'UTF8') as raw
      from bridge.transactions t join bridge.raw_messages m on m.transaction_id = t.id order by t.id desc limit 1`)
    expect(row).toEqual({ status: 'ERROR', stage: 'RECEIVE', raw: text })
  })
})
