import { BlockList, isIP } from 'node:net'
import { incorrect } from '../faults/fault.ts'

/** Whose word about the client is believed: the proxies that stand before this server. */
export interface ProxyTrust {
  /** The client behind a connection: the nearest hop that is no proxy of ours. */
  clientOf(peer: string, forwardedFor: string | undefined): string
  /** How the client reached the nearest proxy; undefined unless a proxy of ours says it. */
  schemeOf(peer: string, forwardedProto: string | undefined): 'http' | 'https' | undefined
}

/** Given addresses (`10.1.2.3`, `fd00::7`) and ranges (`10.0.0.0/8`). With none, every header is what a stranger says. */
export function proxyTrust(trusted: readonly string[]): ProxyTrust {
  const ours = new BlockList()
  for (const range of trusted) add(range, ours)
  const isOurs = (address: string) =>
    trusted.length > 0 && isIP(address) !== 0 && ours.check(address, familyOf(address))
  return {
    clientOf(peer, forwardedFor) {
      let client = plain(peer)
      const hops = isOurs(client) ? (forwardedFor?.split(',') ?? []) : []
      // Each proxy adds on the right whom it heard; what stands left of a stranger is the stranger's word.
      while (isOurs(client)) {
        const hop = addressIn(hops.pop()?.trim() ?? '')
        if (hop === undefined) break
        client = hop
      }
      return client
    },
    schemeOf(peer, forwardedProto) {
      if (!isOurs(plain(peer))) return undefined
      const said = forwardedProto?.split(',').at(-1)?.trim().toLowerCase()
      return said === 'http' || said === 'https' ? said : undefined
    },
  }
}

/** Strangers all. */
export const trustsNobody = proxyTrust([])

function add(range: string, list: BlockList): void {
  const [address = '', bits, ...rest] = range.split('/')
  const family = isIP(address)
  const bitsMax = family === 4 ? 32 : 128
  const prefix = bits === undefined ? bitsMax : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
  if (family === 0 || rest.length > 0 || !(prefix <= bitsMax)) {
    throw incorrect(`A trusted proxy must be an address or a range such as 10.0.0.0/8, not ${range}.`)
  }
  list.addSubnet(address, prefix, familyOf(address))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** An IPv4 address on an IPv6 socket is the same address. */
const plain = (address: string) => (/^::ffff:\d+\./i.test(address) ? address.slice('::ffff:'.length) : address)

/** Some proxies add the port; a name or `unknown` is no address. */
function addressIn(hop: string): string | undefined {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop
  return isIP(bare) === 0 ? undefined : plain(bare)
}
