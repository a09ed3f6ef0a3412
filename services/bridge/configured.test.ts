import { describe, expect, it } from 'vitest'
import { choice, texts } from '../../packages/config/key.ts'
import { loadConfiguration } from '../../packages/config/load.ts'
import { channelOf } from './configured.ts'
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
