import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { parseMessage } from '../../../packages/hl7/index.ts'
import { failed } from '../testing/flow-world.ts'
import { answerPlan, answerTo, duplicateAnswer, refusalAnswer } from './7-ack.ts'

const deps = { clock: new SimulatedClock('2026-03-04T06:15:00Z'), ids: systemIds }
const message = (type: string, ...segments: readonly string[]) =>
  parseMessage(`${[`MSH|^~\\&|PAS|CENTRAL|||2026||${type}|C1|P|2.5.1`, ...segments].join('\r')}\r`)
const names = ({ text }: ReturnType<typeof parseMessage>) => text.match(/^[A-Z\d]{3}/gm)
const answered = (...given: Parameters<typeof answerTo>) => parseMessage(answerTo(...given))

const query = message('QBP^Q22^QBP_Q21', 'QPD|Q22|T1|@PID.99.1^x', 'RCP|I')
const file = message('MFN^M02^MFN_M02', 'MFI|STF||UPD|||AL', 'MFE|MAD|R1||1', 'MFE|MAD|R2||2')

describe('a refusal', () => {
  it.each(['AE', 'AR'] as const)('of a query is RSP with the query and %s for it', (code) => {
    const answer = answered(query, failed(code), deps)
    expect(names(answer)).toEqual(['MSH', 'MSA', 'ERR', 'QAK', 'QPD'])
    expect(answer.segment('MSH')?.rawField(9)).toBe('RSP^K22^RSP_K21')
    expect([answer.get('MSA-1'), answer.get('QAK-1'), answer.get('QAK-2')]).toEqual([code, 'T1', code])
  })

  it('of a query without QPD is RSP all the same', () => {
    expect(names(answered(message('QBP^Q23'), failed('AE'), deps))).toEqual(['MSH', 'MSA', 'ERR', 'QAK'])
  })

  it('of a master file is MFK, for every record of it', () => {
    const answer = answered(file, failed('AE'), deps)
    expect(answer.segment('MSH')?.rawField(9)).toBe('MFK^M02^MFK_M01')
    expect(names(answer)).toEqual(['MSH', 'MSA', 'ERR', 'MFI', 'MFA', 'MFA'])
    expect(answer.segments('MFA').map((mfa) => mfa.part(4)?.raw)).toEqual(['U^No^HL70181', 'U^No^HL70181'])
  })

  it('of a master file that is not taken here is MFK too', () => {
    const refused = message('MFN^M04^MFN_M04', 'MFI|CDM||UPD|||AL')
    const answer = refusalAnswer(refused, failed('AR'), answerPlan(refused, 'original'), deps)
    expect(answer?.message.segment('MSH')?.rawField(9)).toBe('MFK^M04^MFK_M01')
  })

  it.each([
    ['a query that nobody answers here', message('QBP^Q11^QBP_Q11', 'QPD|x|T1')],
    ['any other message', message('ADT^A01^ADT_A01')],
  ])('of %s is ACK', (_, other) => {
    expect(answered(other, failed('AR'), deps).get('MSH-9.1')).toBe('ACK')
  })

  it('at the level of the transport is ACK', () => {
    const plan = { accept: 'AL', application: 'AL', applicationWhen: 'through' } as const
    const answer = refusalAnswer(query, failed('AR'), plan, deps)
    expect([answer?.code, answer?.message.get('MSH-9.1')]).toEqual(['CR', 'ACK'])
  })

  it('is told to a duplicate in the same form', () => {
    const answer = duplicateAnswer(query, { code: 'AE' }, deps)
    expect(answer instanceof Uint8Array ? undefined : answer.get('MSH-9.1')).toBe('RSP')
  })
})
