import { incorrect } from '../../packages/faults/fault.ts'
import { makeZone, type CharsetOptions, type ServerTls } from '../../packages/hl7/index.ts'
import { showTls, tlsPair, type ShownTlsDeps, type TlsFiles } from '../../packages/keys/tls.ts'
import { defaultBreakerRule, type BreakerRule } from './breakers/circuit-breaker.ts'
import { defaultFlowOptions, type FlowOptions } from './durable/message-flow.ts'
import type { ListenerSettings } from './listeners/listener-settings.ts'
import { messageTypesOf } from './listeners/message-types.ts'
import type { ChannelSection } from './listeners/section.ts'
import type { MappingSettings } from './mapping/context.ts'
import { channelIds, type Channel, type ChannelId } from './pipeline/channel.ts'
import type { BridgeSection } from './section.ts'

interface SettingsDeps extends ShownTlsDeps {
  /** Ends what looks after certificates. */
  readonly started: Pick<AsyncDisposableStack, 'defer'>
}

/** The eight listeners as the configuration has them. */
export function listenerSettings(section: BridgeSection, deps: SettingsDeps): Promise<ListenerSettings[]> {
  return Promise.all(channelIds.map((id) => listenerOf(id, section, deps)))
}

async function listenerOf(id: ChannelId, section: BridgeSection, deps: SettingsDeps): Promise<ListenerSettings> {
  const own = section.channels[id]
  const tls = await tlsOf(id, section, deps)
  return {
    channel: channelOf(id, section),
    isEnabled: own.enabled,
    port: own.port,
    hosts: section.mllpHosts,
    connectionsMax: own.maxConnections,
    frameBytesMax: section.frameBytesMax,
    frameTimeoutMs: section.frameTimeoutMs,
    idleTimeoutMs: section.idleTimeoutMs,
    ...(tls === undefined ? {} : { tls }),
    ...(own.allowedSenders.length === 0 ? {} : { allowed: own.allowedSenders }),
    ...(own.messagesPerMinute === 0 ? {} : { messagesPerMinute: own.messagesPerMinute }),
  }
}

export function channelOf(id: ChannelId, section: BridgeSection): Channel {
  const own = section.channels[id]
  const charset = charsetOf(own)
  const certificates = certificatesOf(id, own)
  return {
    id,
    messageTypes: messageTypesOf[id],
    processingIds: own.allowProcessingIds,
    strictVersion: own.strict,
    defaultFacility: own.defaultFacility ?? section.facilityCode,
    zone: makeZone(own.timezone),
    mapping: mappingOf(section),
    ackMode: own.ackMode,
    retry: own.retry,
    ...(charset === undefined ? {} : { charset }),
    ...(certificates === undefined ? {} : { certificates }),
  }
}

export const breakerRule = ({ breaker }: BridgeSection): BreakerRule => ({ ...defaultBreakerRule, ...breaker })

export const flowOptions = (section: BridgeSection): FlowOptions => ({
  ...defaultFlowOptions,
  windowMs: section.dedupe.windowHours * 3_600_000,
  answerWithinMs: section.answerWithinMs,
  underWayMax: section.underWayMax,
  retryConcurrency: section.retryConcurrency,
  leaseMs: section.leaseMs,
})

function charsetOf({ charset, forceCharset }: ChannelSection): CharsetOptions | undefined {
  if (charset === undefined) return undefined
  return forceCharset ? { forced: charset } : { fallback: charset }
}

async function tlsOf(id: ChannelId, section: BridgeSection, deps: SettingsDeps): Promise<ServerTls | undefined> {
  const files = tlsFilesOf(id, section)
  if (files === undefined) return undefined
  const shown = await showTls(`${tlsPath(id)}.certificateFile`, files, deps)
  deps.started.defer(() => shown.end())
  return {
    get cert() {
      return shown.current.cert
    },
    get key() {
      return shown.current.key
    },
    get clientCa() {
      return shown.current.ca
    },
  }
}

const tlsPath = (id: ChannelId) => `bridge.channels.${id}.tls`

/** What a channel's TLS is made of; undefined where it has none. */
export function tlsFilesOf(id: ChannelId, section: BridgeSection): TlsFiles | undefined {
  const path = tlsPath(id)
  const { tls } = section.channels[id]
  const { clientCaFile } = tls
  const pair = tlsPair(tls, path)
  if (pair !== undefined) return { ...pair, ...(clientCaFile === undefined ? {} : { clientCaFile }) }
  if (clientCaFile === undefined) return undefined
  throw incorrect(`${path}.clientCaFile is set, and without ${path}.certificateFile and keyFile there is no TLS.`)
}

/** An interface engine sends for many with one certificate: each of its pairs adds a facility. */
function certificatesOf(id: ChannelId, own: ChannelSection): Channel['certificates'] {
  if (own.senderCertificates.length === 0) return undefined
  const certificates = new Map<string, Set<string>>()
  for (const text of own.senderCertificates) {
    const [name, code, more] = text.split('=')
    if (name === undefined || code === undefined || name === '' || code === '' || more !== undefined) {
      throw incorrect(`bridge.channels.${id}.senderCertificates must be written as name=CODE.`)
    }
    certificates.set(name, (certificates.get(name) ?? new Set()).add(code))
  }
  return certificates
}

function mappingOf({ mapping }: BridgeSection): MappingSettings {
  const { realm, visitNumber, nationalIdSystem, provenance } = mapping
  return {
    ...(realm === 'US' ? { realm } : {}),
    ...(visitNumber === 'PID-18' ? { visitNumber } : {}),
    ...(nationalIdSystem === undefined ? {} : { nationalIdSystem }),
    ...(provenance ? {} : { withoutProvenance: true }),
  }
}
