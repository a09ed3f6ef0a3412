import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseMessage } from '../../packages/hl7/index.ts'
import { sql } from '../../packages/sql/sql.ts'
import {
  cutAfter,
  cutResponse,
  garbage,
  halfOpen,
  hang,
  pass,
  refuse,
  reset,
  status,
  type FaultMode,
} from '../../packages/testkit/fault-modes.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { channelIds, type ChannelId } from '../../services/bridge/pipeline/channel.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { proxiedCorridor, type ProxiedCorridor } from './places/proxied-corridor.ts'

const answering = (body: object): FaultMode => ({
  kind: 'http',
  httpStatus: 200,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

/** Every way in which there is no answer that says yes. */
const ways: readonly (readonly [string, FaultMode])[] = [
  ['refuses connections', refuse],
  ['resets them', reset],
  ['never answers', hang],
  ['is half-open', halfOpen],
  ['breaks off in its answer', cutAfter(60)],
  ['decides and is not heard', cutResponse],
  ['answers 500', status(500)],
  ['answers 503', status(503)],
  ['answers 401', status(401)],
  ['answers what is no JSON', garbage],
  ['leaves permitted out', answering({ decision: 'yes' })],
  ['says permitted in a text', answering({ permitted: 'true' })],
  ['says permitted as a number', answering({ permitted: 1 })],
]

/** A message of each channel about a patient who is known; master files are about nobody. */
const messages: Readonly<Record<Exclude<ChannelId, 'mfn'>, readonly [type: string, rest: string]>> = {
  adt: ['ADT^A01', 'PV1|1|I|3W^301^A'],
  oru: ['ORU^R01', 'OBR|1|P1|F1|58410-2^CBC^LN|||20260304\rOBX|1|NM|718-7^Hb^LN||13|g/dL|||||F'],
  orm: ['ORM^O01', 'ORC|NW|P1^HIS\rOBR|1|P1^HIS||58410-2^CBC^LN'],
  mdm: ['MDM^T02', 'TXA|1|DS|TX|20260304||||||||D-1\rOBX|1|TX|11488-4^Note^LN||A text||||||F'],
  qbp: ['QBP^Q22', 'QPD|Q22^Find Candidates^HL70471|T1|@PID.3.1^4711'],
  rde: ['RDE^O11', 'ORC|NW|P-1^CPOE\rRXE|1^BID^D7^20260304|1234^Digoxin^L|0.125||mg'],
  siu: ['SIU^S12', ''],
}
const channels = channelIds.filter((id): id is keyof typeof messages => id !== 'mfn')

describe('consent that cannot be asked', () => {
  let place: ProxiedCorridor
  let count = 0

  beforeAll(async () => {
    place = await proxiedCorridor('consent', {
      'bridge.consent.timeoutMs': '1500',
      // Messages are to meet the fault itself and not a circuit that an earlier one has opened.
      'bridge.breaker.consecutiveFailures': '1000',
      ...{ 'bridge.breaker.openMs': '10', 'bridge.breaker.openMsMax': '10' },
    })
    await waitFor(async () => (await send('adt')) === 'AA', { what: 'a patient', deadlineMs: 30_000 })
  }, 60_000)
  afterAll(() => place?.[Symbol.asyncDispose]())

  const textOf = (channel: keyof typeof messages) => {
    const [type, rest] = messages[channel]
    const header = `MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||${type}|D6-${++count}|P|2.5.1`
    const pid = 'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F'
    if (channel === 'qbp') return `${header}\r${rest}\rRCP|I\r`
    if (channel !== 'siu') return `${header}\r${pid}\r${rest}\r`
    return `${header}\rSCH|PA-${count}^PORTAL|FA-${count}^SCHED|||||CHECK^Check-up^L|NORMAL|30|MIN|^^30^20260310090000^20260310093000\r${pid}\rRGS|1\rAIL|1||3W\r`
  }
  const send = async (channel: keyof typeof messages) => {
    await using sender = await openHl7Sender({
      host: '127.0.0.1',
      port: place.corridor.configuration.bridge.channels[channel].port,
    })
    const answer = parseMessage((await sender.send(textOf(channel), { deadlineMs: 20_000 })).raw)
    return [answer.getText('MSA-1'), answer.getText('ERR-5.1'), answer.getText('PID-3.1')].filter(Boolean).join(' ')
  }
  /** What is stored of patients and for them; audit and what the bridge keeps there for itself do not count. */
  const stored = () =>
    place.database.many(sql`
      select type, count(*)::int as versions from fhir.versions
      where type not in ('AuditEvent', 'Subscription', 'ValueSet', 'Consent') group by type order by type`)

  it.each(ways)('that %s: all channels refuse, and nothing is stored', async (_, mode) => {
    const before = await stored()
    await place.proxy.set(mode)
    const answers = await Promise.all(channels.map(async (channel) => [channel, await send(channel)] as const))
    expect(answers).toEqual(channels.map((channel) => [channel, 'AE CONSENT_UNAVAILABLE']))
    expect(await stored()).toEqual(before)
    await place.proxy.set(pass)
  })

  it('holds nobody up when it is back', async ({ task }) => {
    tellFigures(task, { histories: ways.length * channels.length })
    for (const channel of channels) {
      await expect.poll(() => send(channel), { timeout: 20_000 }).toMatch(/^AA/)
    }
  })
})
