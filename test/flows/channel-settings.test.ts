import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCertificate, type Certificate } from '../../packages/keys/certificate.ts'
import { parseMessage } from '../../packages/hl7/index.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { channelOf } from '../../services/bridge/configured.ts'
import type { ChannelId } from '../../services/bridge/pipeline/channel.ts'

/** At once, not by its deadline. */
const refused = /^(The connection ended|No connection)/

/** What is set for one channel of `corridor.yaml` reaches its listener, and no other one. */
describe('a channel', () => {
  let corridor: TestCorridor
  let folder: string
  let authority: Certificate
  let ofCentral: Certificate
  const endOfOwn = new Date('2033-05-18T03:33:20Z')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corridor-channels-'))
    authority = await makeCertificate({ name: 'authority' })
    ofCentral = await makeCertificate({ name: 'his.central', issuer: authority })
    const valid = { from: new Date('2026-01-01T00:00:00Z'), to: endOfOwn }
    const own = await makeCertificate({ name: 'localhost', issuer: authority, valid })
    const pathOf = async (name: string, pem: string) => {
      await writeFile(join(folder, name), pem)
      return join(folder, name)
    }
    corridor = await testCorridor({
      services: ['auth', 'fhir', 'consent', 'bridge'],
      settings: {
        'bridge.channels.adt.tls.certificateFile': await pathOf('own.crt', own.cert),
        'bridge.channels.adt.tls.keyFile': await pathOf('own.key', own.key),
        'bridge.channels.adt.tls.clientCaFile': await pathOf('authority.crt', authority.cert),
        'bridge.outbound.mllpCertificateFile': await pathOf('shown.crt', ofCentral.cert),
        'bridge.outbound.mllpKeyFile': await pathOf('shown.key', ofCentral.key),
        'bridge.channels.adt.senderCertificates': 'his.central=CENTRAL',
        'bridge.channels.oru.allowedSenders': '10.0.0.0/8',
        'bridge.channels.orm.allowProcessingIds': 'P',
        'bridge.channels.orm.charset': '8859/5',
        'bridge.channels.mdm.strict': 'true',
        'bridge.channels.qbp.enabled': 'false',
        'bridge.channels.rde.ackMode': 'enhanced',
        'bridge.channels.rde.retry.maxAttempts': '3',
        'bridge.channels.siu.defaultFacility': 'CENTRAL',
        'bridge.channels.mfn.maxConnections': '1',
      },
    })
  })
  afterAll(async () => {
    await corridor?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  const openTo = (channel: ChannelId, certificate?: Certificate | 'none') => {
    const { port } = corridor.configuration.bridge.channels[channel]
    if (certificate === undefined) return openHl7Sender({ host: '127.0.0.1', port })
    const shown = certificate === 'none' ? {} : { cert: certificate.cert, key: certificate.key }
    return openHl7Sender({ host: '127.0.0.1', port, tls: { ca: authority.cert, servername: 'localhost', ...shown } })
  }
  /** MSA-1 and what is wrong. */
  const send = async (channel: ChannelId, message: string | Buffer, certificate?: Certificate | 'none') => {
    await using sender = await openTo(channel, certificate)
    const answer = parseMessage((await sender.send(message, { deadlineMs: 10_000 })).raw)
    return [answer.getText('MSA-1'), answer.getText('ERR-5.1')].filter(Boolean).join(' ')
  }

  let count = 0
  const header = (type: string, { facility = 'CENTRAL', mode = 'P', version = '2.5.1' } = {}) =>
    `MSH|^~\\&|HIS|${facility}|HUB|CORRIDOR|20260304||${type}|CS-${++count}|${mode}|${version}\r`
  const pid = 'PID|1||CS-1^^^CENTRAL^MR||OBI^ADA||19800101|F\r'
  const admission = (facility = 'CENTRAL') => `${header('ADT^A01', { facility })}${pid}PV1|1|I\r`
  const order = (mode = 'P') => `${header('ORM^O01', { mode })}${pid}ORC|NW|P1^HIS\rOBR|1|P1^HIS||58410-2^CBC^LN\r`
  const document = (version?: string) =>
    `${header('MDM^T02', version === undefined ? {} : { version })}${pid}TXA|1|DS|TX|20260304||||||||D-1\rOBX|1|TX|11488-4^Note^LN||A text||||||F\r`
  const booking = (facility: string) =>
    `${header('SIU^S12', { facility })}SCH|PA-1|FA-1|||||CHECK^Check-up^L|NORMAL|30|MIN|^^30^20260310090000^20260310093000\r${pid}RGS|1\r`

  it('with a certificate speaks TLS only, to senders that show one, each for its own facility', async () => {
    expect(await send('adt', admission(), ofCentral)).toBe('AA')
    expect(await send('adt', admission('LAKESIDE'), ofCentral)).toBe('AR SENDER_NOT_ALLOWED')
    const stranger = await makeCertificate({ name: 'his.central' })
    await expect(send('adt', admission(), stranger), 'a stranger').rejects.toThrow(refused)
    await expect(send('adt', admission(), 'none'), 'no certificate').rejects.toThrow(refused)
    await expect(send('adt', admission()), 'no TLS').rejects.toThrow(refused)
  })

  it('tells until when its certificate is good, and the one that receivers are shown', async () => {
    const metrics = await (await fetch(`${corridor.url('bridge')}/actuator/prometheus`)).text()
    const told = metrics.matchAll(/^corridor_tls_certificate_expiry_timestamp_seconds\{certificate="(.+)"\} (\d+)$/gm)
    expect(Object.fromEntries([...told].map(([, certificate, end]) => [certificate, end]))).toEqual({
      'bridge.channels.adt.tls.certificateFile': String(endOfOwn.getTime() / 1_000),
      'bridge.outbound.mllpCertificateFile': expect.any(String),
    })
  })

  it('takes no message from an address that is not allowed', async () => {
    const result = `${header('ORU^R01')}${pid}OBR|1|P1|F1|58410-2^CBC^LN|||20260304\r`
    await expect(send('oru', result)).rejects.toThrow(refused)
  })

  it.each([
    ['takes messages of training only where they are allowed', 'orm', () => order('T'), 'AR UNSUPPORTED_PROCESSING_ID'],
    ['takes those of production', 'orm', () => order(), 'AA'],
    ['that is strict refuses versions that do not exist', 'mdm', () => document('9.9'), 'AR UNSUPPORTED_VERSION'],
    ['that is strict takes those that do', 'mdm', () => document(), 'AA'],
    ['knows who is meant by a sender without a name', 'siu', () => booking(''), 'AA'],
  ] as const)('%s', async (_, channel, message, answer) => {
    expect(await send(channel, message())).toBe(answer)
  })

  it('reads messages that name no character set in its own', async () => {
    // ПЕТРОВА in ISO 8859-5, which in Windows-1252 would be ¿ÅÂÀ¾²°.
    const name = Buffer.from([0xbf, 0xb5, 0xc2, 0xc0, 0xbe, 0xb2, 0xb0])
    const [before = '', after = ''] = order().replace('CS-1^^^', 'CS-2^^^').split('OBI')
    expect(await send('orm', Buffer.concat([Buffer.from(before), name, Buffer.from(after)]))).toBe('AA')
    const headers = { authorization: await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.rs' }) }
    const found = await fetch(`${corridor.url('fhir')}/Patient?identifier=CS-2`, { headers })
    expect(await found.text()).toContain('"ПЕТРОВА"')
  })

  it('answers twice in enhanced mode', async () => {
    await using sender = await openTo('rde')
    const text = `${header('RDE^O11')}${pid}ORC|NW|P-1^CPOE\rRXE|1^BID^D7^20260304|1234^Digoxin^L|0.125||mg\r`
    const [first, second] = await Promise.all([sender.send(text), sender.nextAnswer({ deadlineMs: 10_000 })])
    expect([first.ackCode, parseMessage(second).getText('MSA-1')]).toEqual(['CA', 'AA'])
  })

  it('serves no more senders at once than it should', async () => {
    await using _first = await openTo('mfn')
    await expect(send('mfn', booking('CENTRAL'))).rejects.toThrow(refused)
  })

  it('that is not enabled does not listen', async () => {
    await expect(openTo('qbp')).rejects.toThrow('ECONNREFUSED')
  })

  it('tries again as often as it is told, and others as ever', () => {
    const attempts = (id: ChannelId) => channelOf(id, corridor.configuration.bridge).retry.maxAttempts
    expect([attempts('rde'), attempts('siu')]).toEqual([3, 10])
  })
})

it.each([
  [{ certificateFile: 'a.crt' }, 'bridge.channels.adt.tls.certificateFile is set and bridge.channels.adt.tls.keyFile'],
  [{ clientCaFile: 'ca.crt' }, 'bridge.channels.adt.tls.clientCaFile is set, and without'],
])('a Corridor whose channel has half of what TLS needs does not start: %o', async (tls, sentence) => {
  const settings = Object.fromEntries(
    Object.entries(tls).map(([key, value]) => [`bridge.channels.adt.tls.${key}`, value]),
  )
  await expect(testCorridor({ services: ['auth', 'fhir', 'consent', 'bridge'], settings })).rejects.toThrow(sentence)
})
