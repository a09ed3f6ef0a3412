import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { Clock } from '../../../packages/clock/clock.ts'
import { Fault, incorrect, unauthenticated } from '../../../packages/faults/fault.ts'
import { exchange } from '../../../packages/http/outbound/exchange.ts'
import { isLoopbackHost } from '../../../packages/http/request.ts'
import type { Log } from '../../../packages/log/log.ts'
import { lookupBy } from '../../../packages/names/lookup-by.ts'

export interface FetchedKeySet {
  readonly document: unknown
  /** How long the publisher lets it be kept (SMART: not beyond its Cache-Control). */
  readonly maxAgeSeconds: number
}

export type FetchKeySet = (uri: string, clientId: string) => Promise<FetchedKeySet>

/**
 * Fetches the key set that a client has registered. The address comes from outside, so it must not reach anything
 * inside: https only, no redirects, no private network whatever name it hides behind, five seconds, 64 KB.
 */
export function keySetFetcher(deps: {
  readonly clock: Clock
  readonly log: Log
  readonly allowsLoopback: boolean
  /** Who is asked for the addresses of names, with port; those of the system when not given. */
  readonly nameServers?: readonly string[]
}): FetchKeySet {
  const guarded = { lookup: guardedLookup(deps.nameServers), keepAlive: false, maxSockets: 8 }
  const outside = new HttpsAgent({ ...guarded, minVersion: 'TLSv1.2' })
  const here = { https: new HttpsAgent({ minVersion: 'TLSv1.2' }), http: new HttpAgent({}) }
  return async (uri, clientId) => {
    using deadline = deps.clock.deadline(deadlineMs)
    const url = new URL(uri)
    try {
      const isLocal = deps.allowsLoopback && isLoopbackHost(url.hostname)
      if (!isLocal) refusePrivate(url)
      const { status, headers, body } = await exchange({
        ...{ method: 'GET', url, headers: { accept: 'application/json' }, body: undefined },
        agent: isLocal ? here[url.protocol === 'https:' ? 'https' : 'http'] : outside,
        signal: deadline.signal,
        bytesMax,
      })
      if (status !== 200) throw incorrect(`the key set was answered with ${status}`)
      return { document: JSON.parse(new TextDecoder().decode(body)), maxAgeSeconds: maxAgeOf(headers) }
    } catch (error) {
      deps.log.warn('a key set of a client could not be fetched', {
        ...{ dependency: 'client jwks', clientId, host: url.host, error: causeOf(error) },
      })
      throw unauthenticated('The public keys of the client cannot be fetched.', {
        code: 'invalid_client',
        cause: error,
      })
    }
  }
}

/** In our own words, or by the code of what the system or TLS said; a library's words may hold what was fetched. */
function causeOf(error: unknown): string {
  if (error instanceof Fault) return error.shown
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.constructor.name
}

const deadlineMs = 5_000
const bytesMax = 65_536

function maxAgeOf(headers: Headers): number {
  const rules = headers.get('cache-control') ?? ''
  if (/no-store|no-cache/i.test(rules)) return 0
  const seconds = /max-age=(\d{1,9})/i.exec(rules)?.[1]
  return Math.min(seconds === undefined ? 300 : Number(seconds), 3_600)
}

function refusePrivate(url: URL): void {
  if (url.protocol !== 'https:') throw incorrect('a key set must be fetched with https')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && isPrivate(host)) throw incorrect('a key set must not lie in a private network')
}

/**
 * The name is looked up once, and the address that was checked is the one that is called. The servers of names are asked
 * directly: the system asks them in two threads for all of this process, which two clients with silent servers of their
 * own would hold for ever, and nobody would find the database any more. What stands in the hosts file is not public.
 */
function guardedLookup(nameServers: readonly string[] | undefined): LookupFunction {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const addressesOf = async (hostname: string): Promise<LookupAddress[]> => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const found = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (found.length === 0 && four.status === 'rejected') throw four.reason
    if (found.some(({ address }) => isPrivate(address))) {
      throw incorrect('a key set must not lie in a private network')
    }
    return found
  }
  return lookupBy(async (hostname, { family }) => {
    const found = await addressesOf(hostname)
    return family === 4 || family === 6 ? found.filter((one) => one.family === family) : found
  })
}

export function isPrivate(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(plain) === 4 ? private4.check(plain, 'ipv4') : private6.check(plain, 'ipv6')
}

// Loopback, link-local, private, shared, documentation, multicast and reserved (RFC 6890), and the IPv6 ranges that carry
// an IPv4 address to a translator or through a tunnel. Two lists, since a list takes the range of mapped addresses
// (::ffff:0:0/96) for all of IPv4.
const private4 = new BlockList()
const private6 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  private4.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  private6.addSubnet(network, bits, 'ipv6')
}
