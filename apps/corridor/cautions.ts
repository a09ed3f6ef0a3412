import { Fault } from '../../packages/faults/fault.ts'
import { isLoopbackHost } from '../../packages/http/request.ts'
import { hostWithoutTls } from '../../packages/sql/connection.ts'
import type { Configuration, LoadedConfiguration } from './configuration.ts'
import { serviceNames, type ServiceName } from './service-names.ts'

/** A setting that is allowed but rarely intended, in a sentence, and what to do in another. */
export interface Caution {
  readonly says: string
  readonly advice: string
}

/** Told at every start and by the doctor: scans find thousands of health systems that nobody meant to publish. */
export function cautions(
  { configuration, sourceOf }: LoadedConfiguration,
  running: readonly ServiceName[] = serviceNames,
): Caution[] {
  const { mode, bridge } = configuration
  return [
    ...openDatabase(configuration.database),
    ...openListeners(configuration, running),
    ...readableAddresses(configuration, running),
    ...hiddenClients(configuration, running),
    ...(running.includes('fhir') ? lostPath(configuration) : []),
    ...lostPages(configuration, running),
    ...(running.includes('bridge') ? [...openChannels(bridge), ...silentConsent(bridge)] : []),
    ...(running.includes('bridge') && mode === 'production' ? leftToChance(bridge, sourceOf) : []),
    ...(running.includes('immunization') && mode === 'production' ? openKeys(configuration.immunization) : []),
  ]
}

/** All that is in the record goes there, and every secret that is kept. */
function openDatabase({ url }: Configuration['database']): Caution[] {
  const host = url === undefined ? undefined : hostOf(url)
  if (host === undefined || isLoopbackHost(host)) return []
  return [
    {
      says: `What is said to the database at ${host} can be read on the way, because database.url asks for no TLS.`,
      advice: 'Write ?sslmode=verify-full into it, unless the way there is a network of this machine alone.',
    },
  ]
}

/** Of an address that is none, whoever connects says what is wrong with it. */
function hostOf(url: string): string | undefined {
  try {
    return hostWithoutTls(url)
  } catch (thrown) {
    if (thrown instanceof Fault) return undefined
    throw thrown
  }
}

function openListeners(configuration: Configuration, running: readonly ServiceName[]): Caution[] {
  const open = configuration.listen.hosts.filter((host) => !isLoopbackHost(host))
  if (open.length === 0) return []
  return running
    .filter((name) => configuration[name].tls.certificateFile === undefined)
    .map((name) => ({
      says: `${name} listens on ${open.join(', ')} without TLS.`,
      advice: `Put a TLS proxy in front of it, or set ${name}.tls.certificateFile and ${name}.tls.keyFile.`,
    }))
}

/** Where people and their apps send passwords, tokens and records; the others may be called inside a cluster only. */
const usedByPeople: readonly ServiceName[] = ['auth', 'fhir', 'immunization']

function readableAddresses(configuration: Configuration, running: readonly ServiceName[]): Caution[] {
  return usedByPeople.flatMap((name) => {
    const { protocol, hostname } = new URL(configuration[name].url)
    if (!running.includes(name) || protocol === 'https:' || isLoopbackHost(hostname)) return []
    const says = `What is sent to ${name}.url can be read on the way, because it begins with http.`
    return [{ says, advice: 'Give it an https address.' }]
  })
}

/** Somebody else ends the TLS of these addresses, and whom it speaks for is not believed. */
function hiddenClients(configuration: Configuration, running: readonly ServiceName[]): Caution[] {
  if (configuration.http.trustedProxies.length > 0) return []
  const behind = running.filter((name) => {
    const { url, tls } = configuration[name]
    return url.startsWith('https:') && tls.certificateFile === undefined
  })
  if (behind.length === 0) return []
  return [
    {
      says: `Everybody seems to call from one address, that of the proxy before ${behind.join(', ')}: http.trustedProxies is not set.`,
      advice:
        'Name the proxy there. Until then twenty wrong passwords in a minute keep everybody waiting, and audit trails name the proxy.',
    },
  ]
}

/** Everybody is sent to fhir.url, so a path that is wrong breaks every service while each of them is well. */
function lostPath({ fhir, http }: Configuration): Caution[] {
  const { pathname } = new URL(fhir.url)
  // A proxy of ours may put a path of its own before it, and takes it away again.
  const isBehind = http.trustedProxies.length > 0 && pathname.endsWith('/fhir')
  if (pathname === '/fhir' || isBehind) return []
  return [
    {
      says: `What is sent to fhir.url does not reach the FHIR store: its path is ${pathname}, and the store answers under /fhir.`,
      advice:
        'Let fhir.url end with /fhir. Where a proxy rewrites the path, name the proxy in http.trustedProxies, too.',
    },
  ]
}

/** Links, forms and cookies of pages are those of a whole host: no proxy that takes a path away makes them right. */
function lostPages(configuration: Configuration, running: readonly ServiceName[]): Caution[] {
  return running.flatMap((name) => {
    const { pathname } = new URL(configuration[name].url)
    if (name === 'fhir' || pathname === '/') return []
    const says = `Who opens ${name}.url gets lost: it has the path ${pathname}, and its pages lead to addresses without it.`
    return [{ says, advice: 'Give the service a name or a port of its own, and an address without a path.' }]
  })
}

function openChannels({ mllpHosts, channels }: Configuration['bridge']): Caution[] {
  const hosts = mllpHosts.filter((host) => !isLoopbackHost(host))
  const open = Object.entries(channels)
    .filter(([, { enabled, tls, allowedSenders }]) => enabled && !tls.certificateFile && allowedSenders.length === 0)
    .map(([id]) => id)
  if (hosts.length === 0 || open.length === 0) return []
  return [
    {
      says: `MLLP listens on ${hosts.join(', ')} without TLS and for every sender: ${open.join(', ')}.`,
      advice:
        "Name the senders' networks in bridge.channels.<channel>.allowedSenders, or set bridge.channels.<channel>.tls.",
    },
  ]
}

function silentConsent({ consent }: Configuration['bridge']): Caution[] {
  if (!consent.enabled || consent.failClosed) return []
  return [
    {
      says: 'Messages are stored without consent while the consent service gives no answer, because bridge.consent.failClosed is false.',
      advice: 'Set it to true: false is for development only.',
    },
  ]
}

/** Values that only a demo may leave as they are. */
function leftToChance(
  { base, outbound, coordination, registry, consent }: Configuration['bridge'],
  sourceOf: LoadedConfiguration['sourceOf'],
): Caution[] {
  const isLeft = (path: string) => sourceOf(path) === 'default'
  const isOwn = coordination.url === undefined
  const sends = outbound.smsGatewayUrl !== undefined && isOwn
  return [
    ...(isOwn && !sends
      ? [
          {
            says: 'Critical results reach nobody: neither a gateway for short messages nor a coordination service is set.',
            advice:
              'Set bridge.outbound.smsGatewayUrl and bridge.coordination.escalationPhone, or bridge.coordination.url.',
          },
        ]
      : []),
    ...(isLeft('bridge.base')
      ? [
          {
            says: `Identifiers are made under ${base} for ever, because bridge.base is not set.`,
            advice: 'Set it to an address that you will keep, before the first message.',
          },
        ]
      : []),
    ...(registry.autoProvision && consent.enabled
      ? [
          {
            says: 'Unknown senders are registered and stay without a policy, because bridge.registry.autoProvision is true.',
            advice:
              'Set it to false, and register each facility with its own policy; or give those their policy that are registered.',
          },
        ]
      : []),
    ...(sends && isLeft('bridge.coordination.escalationPhone')
      ? [
          {
            says: 'Nobody is told of a critical result that was not acknowledged.',
            advice: 'Set bridge.coordination.escalationPhone.',
          },
        ]
      : []),
  ]
}

/** Whoever has a copy of the database could sign certificates in our name. */
function openKeys({ certificateKeySecret }: Configuration['immunization']): Caution[] {
  if (certificateKeySecret !== undefined) return []
  return [
    {
      says: 'A key for vaccination certificates that is made now lies open in the database, because immunization.certificateKeySecret is not set.',
      advice:
        'Set it, or immunization.certificateKeySecretFile, to a text that nobody can guess, and back it up. After a restore: to the one from before.',
    },
  ]
}
