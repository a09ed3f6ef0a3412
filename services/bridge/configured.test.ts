import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { choice, texts } from '../../packages/config/key.ts'
import { loadConfiguration } from '../../packages/config/load.ts'
import { renewalLookMs } from '../../packages/keys/renewed.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import { makeCertificate } from '../../packages/testkit/certificate.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { channelOf, listenerSettings } from './configured.ts'
import { bridgeSection } from './section.ts'

const schema = {
  mode: choice({ words: ['demo', 'production'], default: 'demo', meaning: 'The mode.' }),
  listen: { hosts: texts({ default: ['127.0.0.1'], meaning: 'The addresses.' }) },
  bridge: bridgeSection,
}

const channelWith = (senderCertificates: string) => {
  const environment = { CORRIDOR_BRIDGE_CHANNELS_ADT_SENDER_CERTIFICATES: senderCertificates }
  return channelOf('adt', loadConfiguration(schema, { environment }).configuration.bridge)
}

it('a channel has the certificate and the authorities of senders that its files have now', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'corridor-channel-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = { CERTIFICATE_FILE: join(folder, 'own.crt'), KEY_FILE: join(folder, 'own.key') }
  const clientCa = join(folder, 'senders.crt')
  const put = async () => {
    const [own, authority] = [await makeCertificate({ name: 'localhost' }), await makeCertificate({ name: 'senders' })]
    await writeFile(files.CERTIFICATE_FILE, own.cert)
    await writeFile(files.KEY_FILE, own.key)
    await writeFile(clientCa, authority.cert)
    return { cert: own.cert, key: own.key, clientCa: authority.cert }
  }
  const old = await put()
  const named = Object.entries({ ...files, CLIENT_CA_FILE: clientCa })
  const environment = Object.fromEntries(named.map(([key, file]) => [`CORRIDOR_BRIDGE_CHANNELS_ORU_TLS_${key}`, file]))
  const { bridge } = loadConfiguration(schema, { environment }).configuration
  const clock = new SimulatedClock(new Date().toISOString())
  await using started = new AsyncDisposableStack()
  const [adt, oru] = await listenerSettings(bridge, { clock, metrics: new Metrics(), log: silentLog, started })
  expect([adt?.tls, oru?.tls]).toEqual([undefined, old])
  const renewed = await put()
  await clock.advance(renewalLookMs)
  await waitFor(() => oru?.tls?.cert !== old.cert, { what: 'the new certificate' })
  expect(oru?.tls).toEqual(renewed)
})

describe('the certificates of a channel', () => {
  it('may bring messages of several facilities each', () => {
    expect(channelWith('engine=CENTRAL, his.west=WEST, engine=NORTH').certificates).toEqual(
      new Map([
        ['engine', new Set(['CENTRAL', 'NORTH'])],
        ['his.west', new Set(['WEST'])],
      ]),
    )
    expect(channelWith('').certificates).toBeUndefined()
  })

  it.each(['engine', 'engine=', '=CENTRAL', 'engine=CENTRAL=NORTH'])('are not written as %s', (text) => {
    expect(() => channelWith(text)).toThrow('must be written as name=CODE')
  })
})
