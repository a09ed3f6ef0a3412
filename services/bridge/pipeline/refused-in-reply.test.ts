import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { demoToken } from '../../../packages/testkit/demo-token.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import { mllpFrame } from '../../../packages/testkit/mllp-answers.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import type { ChannelId } from './channel.ts'

/** Queries and master files whose own answer says AE. */
describe('a message that is answered AE in RSP or MFK', () => {
  let corridor: TestCorridor
  let authorization: string

  beforeAll(async () => {
    corridor = await testCorridor()
    authorization = `Bearer ${await demoToken(corridor.url('auth'))}`
  })
  afterAll(() => corridor[Symbol.asyncDispose]())

  interface Options {
    readonly at?: string
    readonly modes?: string
  }

  async function sender(channel: ChannelId) {
    const { port } = corridor.configuration.bridge.channels[channel]
    return await openHl7Sender({ host: '127.0.0.1', port })
  }

  function text(type: string, controlId: string, segments: readonly string[], { at, modes }: Options = {}) {
    const header = `MSH|^~\\&|PAS|CENTRAL|||${at ?? '20260304101500+0000'}||${type}|${controlId}|P|2.5.1`
    return `${[modes === undefined ? header : `${header}|||${modes}`, ...segments].join('\r')}\r`
  }

  async function send(channel: ChannelId, ...message: Parameters<typeof text>) {
    await using his = await sender(channel)
    return parseMessage((await his.send(text(...message))).raw)
  }

  async function call<T>(service: 'bridge' | 'fhir', path: string, method = 'GET'): Promise<T> {
    const answer = await fetch(`${corridor.url(service)}${path}`, { method, headers: { authorization } })
    return (await answer.json()) as T
  }

  interface Row {
    readonly transactionId: string
    readonly [name: string]: unknown
  }
  const rows = async (query: string) =>
    (await call<{ content: readonly Row[] }>('bridge', `/api/transactions?${query}`)).content
  interface Stored {
    readonly active: boolean
    readonly meta: { readonly versionId: string }
  }
  const doctor = async (number: string) =>
    (await call<{ entry?: { resource: Stored }[] }>('fhir', `/Practitioner?identifier=${number}`)).entry?.[0]?.resource

  const staff = (...numbers: readonly string[]) => [
    'MFI|PRA||UPD|||AL',
    ...numbers.flatMap((number, at) => [`MFE|MAD|R${at}||${number}`, `STF|${number}||Doe${at}^Ann`]),
  ]

  it('is an error in the log and the statistics, and can be retried', async () => {
    const answer = await send('mfn', 'MFN^M02', 'RR-1', staff('', 'RR101'))
    expect([answer.get('MSA-1'), ...answer.segments('MFA').map((mfa) => mfa.text(4))]).toEqual(['AE', 'U', 'S'])
    const [row] = await rows('status=ERROR&controlId=RR-1')
    expect(row).toMatchObject({
      ...{ status: 'ERROR', ackCode: 'AE', errorCode: 'RECORDS_NOT_TAKEN', stage: 'TRANSFORM' },
      errorMessage: '1 of 2 records were not taken.',
      resources: expect.arrayContaining([expect.objectContaining({ type: 'Practitioner', operation: 'create' })]),
    })
    expect(await call('bridge', '/api/channels/mfn/stats')).toMatchObject({ ackCodes: { AA: 0, AE: 1, AR: 0 } })
    expect(await call('bridge', '/api/channels/mfn')).toMatchObject({ messagesSucceeded: 0, messagesFailed: 1 })
    const before = await doctor('RR101')
    expect(await call('bridge', `/api/transactions/${row?.transactionId}/retry`, 'POST')).toMatchObject({
      ...{ status: 'ERROR', attempts: 2 },
    })
    expect(await doctor('RR101')).toEqual(before)
  })

  it('is processed afresh when it comes again, and what was taken before is not written twice', async () => {
    await send('mfn', 'MFN^M02', 'RR-2', staff('', 'RR201'))
    const before = await doctor('RR201')
    const answer = await send('mfn', 'MFN^M02', 'RR-2', staff('RR202', 'RR201'))
    expect([answer.get('MSA-1'), ...answer.segments('MFA').map((mfa) => mfa.text(4))]).toEqual(['AA', 'S', 'S'])
    expect(await doctor('RR202')).toMatchObject({ active: true })
    expect(await doctor('RR201')).toEqual(before)
    expect((await rows('controlId=RR-2')).map(({ status, ackCode }) => [status, ackCode])).toEqual([
      ['SUCCESS', 'AA'],
      ['ERROR', 'AE'],
    ])
  })

  it('does not take back, when it comes again, what was said since of a record that was taken', async () => {
    await send('mfn', 'MFN^M02', 'RR-3', staff('', 'RR301'))
    await send('mfn', 'MFN^M02', 'RR-4', ['MFI|PRA||UPD|||AL', 'MFE|MDC|R1||RR301'], { at: '20260304102000+0000' })
    await send('mfn', 'MFN^M02', 'RR-3', staff('RR302', 'RR301'))
    expect([await doctor('RR301'), await doctor('RR302')]).toMatchObject([{ active: false }, { active: true }])
  })

  it.each([
    ['Q21', 'demographics'],
    ['Q23', 'numbers'],
  ])('%s for %s of somebody unknown is asked anew under the same control id', async (trigger) => {
    const number = `RR-${trigger}`
    const ask = () => send('qbp', `QBP^${trigger}`, `RR-ASK-${trigger}`, [`QPD|x|T1|${number}^^^CENTRAL`, 'RCP|I'])
    const first = await ask()
    expect([first.get('MSA-1'), first.get('ERR-5')]).toEqual(['AE', 'UNKNOWN_IDENTIFIER'])
    await send('adt', 'ADT^A28', number, [
      `PID|1||${number}^^^CENTRAL^MR~${number}^^^&1.2.3.4&ISO^PI||Newt^${trigger}||1980|F`,
    ])
    expect((await ask()).get('MSA-1')).toBe('AA')
    const [row] = await rows(`status=ERROR&controlId=RR-ASK-${trigger}`)
    expect(row).toMatchObject({ ackCode: 'AE', errorCode: 'UNKNOWN_IDENTIFIER', stage: 'TRANSFORM' })
  })

  it.each([
    ['NE|ER', ['AE']],
    ['NE|SU', []],
  ])('is told to who wants to hear of it: %s', async (modes, codes) => {
    await using his = await sender('mfn')
    const expected = [...codes, 'AA']
    const answers = Promise.all(expected.map(() => his.nextAnswer()))
    const controlId = `RR-${modes.replace('|', '-')}`
    await his.sendRaw(mllpFrame(text('MFN^M02', controlId, staff(''), { modes })))
    await his.sendRaw(mllpFrame(text('MFN^M02', `${controlId}-2`, staff('RR401'))))
    expect((await answers).map((answer) => parseMessage(answer).get('MSA-1'))).toEqual(expected)
    expect(his.unasked).toEqual([])
  })
})
