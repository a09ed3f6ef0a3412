import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../packages/sql/sql.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { failed, flowWorld, sample, succeeded, type FlowWorld } from '../testing/flow-world.ts'

describe('the answers to a message', () => {
  let world: FlowWorld

  beforeAll(async () => {
    world = await flowWorld({
      channels: { oru: { ackMode: 'enhanced' }, siu: { ackMode: 'immediate' } },
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

  it('are CR for a message that a sender in enhanced mode cannot send here', async () => {
    const text = sample({ controlId: 'W', type: 'ORU^R01', modes: 'AL|AL' })
    expect(await world.code(text, { channel: 'adt' })).toBe('CR The message type ORU is not taken here, only ADT, VXU.')
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

  it('come one for each message of a batch, in order', async () => {
    const batch = ['BHS|^~\\&\r', ...['B1', 'B2', 'B3'].map((controlId) => sample({ controlId })), 'BTS|3\r'].join('')
    const answers = await world.send(batch, { channel: 'adt' })
    expect(answers.map((answer) => `${answer.getText('MSA-1')} ${answer.getText('MSA-2')}`)).toEqual([
      'AA B1',
      'AA B2',
      'AA B3',
    ])
  })

  it('are AR for a batch without messages, whose bytes are kept', async () => {
    const batch = 'FHS|^~\\&\rBHS|^~\\&\rBTS|0\rFTS|1\r'
    expect(await world.code(batch, { channel: 'mfn' })).toMatch(/^AR This is a batch/)
    const kept = sql`select t.error_code, convert_from(m.raw, 'UTF8') as raw from bridge.transactions t
      join bridge.raw_messages m on m.transaction_id = t.id where t.channel_id = 'mfn'`
    expect(await world.database.many(kept)).toEqual([{ error_code: 'PARSE_ERROR', raw: batch }])
  })

  it('say nothing of a batch that counts other messages than there are; the log does', async () => {
    const captured = capturedLog()
    const copy = await world.start({ log: captured.log })
    const batch = `BHS|^~\\&\r${sample({ controlId: 'B4' })}BTS|7\r`
    expect(await world.code(batch, { channel: 'adt', copy })).toBe('AA')
    expect(captured.events('bridge.batch-differs')).toMatchObject([
      { channel: 'adt', error: 'BTS-1 counts 7 messages, but there are 1.' },
    ])
  })

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
