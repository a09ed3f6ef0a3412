import type { Clock } from '../../packages/clock/clock.ts'
import { incorrect } from '../../packages/faults/fault.ts'
import { makeZone, type CharsetOptions, type ServerTls } from '../../packages/hl7/index.ts'
import { loadTls, tlsPair } from '../../packages/keys/tls.ts'
import { defaultBreakerRule, type BreakerRule } from './breakers/circuit-breaker.ts'
import { defaultFlowOptions, type FlowOptions } from './durable/message-flow.ts'
import type { ListenerSettings } from './listeners/listener-settings.ts'
import { messageTypesOf } from './listeners/message-types.ts'
import type { ChannelSection } from './listeners/section.ts'
import type { MappingSettings } from './mapping/context.ts'
import { channelIds, type Channel, type ChannelId } from './pipeline/channel.ts'
import type { BridgeSection } from './section.ts'

/** The eight listeners as the configuration has them. */
export function listenerSettings(section: BridgeSection, deps: { readonly clock: Clock }): Promise<ListenerSettings[]> {
  return Promise.all(channelIds.map((id) => listenerOf(id, section, deps)))
}

async function listenerOf(
  id: ChannelId,
  section: BridgeSection,
  deps: { readonly clock: Clock },
): Promise<ListenerSettings> {
  const own = section.channels[id]
  const tls = await tlsOf(`bridge.channels.${id}.tls`, own, deps)
  return {
    channel: channelOf(id, section),
    isEnabled: own.enabled,
    port: own.port,
    hosts: section.mllpHosts,
    connectionsMax: own.maxConnections,
    frameBytesMax: section.frameBytesMax,
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

async function tlsOf(
  path: string,
  { tls }: ChannelSection,
  deps: { readonly clock: Clock },
): Promise<ServerTls | undefined> {
  const { clientCaFile } = tls
  const pair = tlsPair(tls, path)
  if (pair === undefined) {
    if (clientCaFile === undefined) return undefined
    throw incorrect(`${path}.clientCaFile is set, and without ${path}.certificateFile and keyFile there is no TLS.`)
  }
  const { cert, key, ca } = await loadTls({ ...pair, ...(clientCaFile === undefined ? {} : { clientCaFile }) }, deps)
  return { cert, key, ...(ca === undefined ? {} : { clientCa: ca }) }
}

function certificatesOf(id: ChannelId, own: ChannelSection): ReadonlyMap<string, string> | undefined {
  if (own.senderCertificates.length === 0) return undefined
  const pairs = own.senderCertificates.map((text) => {
    const [name, code] = text.split('=')
    if (name === undefined || code === undefined || name === '' || code === '') {
      throw incorrect(`bridge.channels.${id}.senderCertificates must be written as name=CODE.`)
    }
    return [name, code] as const
  })
  return new Map(pairs)
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
