import { isIPv6 } from 'node:net'

/**
 * What every limit by address counts under. Of IPv6 it is the network of 64 bits: a single machine has a whole one to
 * itself and may speak from any address in it (RFC 4291 section 2.5.1).
 */
export function countedAddress(peer: string): string {
  const [address = ''] = peer.split('%')
  if (!isIPv6(address)) return peer
  const network = groupsOf(address).slice(0, 4)
  // Loopback, and IPv4 in the clothes of IPv6: what is counted is in the other half.
  if (network.every((group) => group === '0')) return peer
  return `${network.join(':')}::/64`
}

/** The groups of an address in their one spelling; a URL writes them so, but leaves out a run of noughts. */
function groupsOf(address: string): readonly string[] {
  const [before = '', after = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const split = (groups: string) => (groups === '' ? [] : groups.split(':'))
  const missing = 8 - split(before).length - split(after).length
  return [...split(before), ...Array.from({ length: missing }, () => '0'), ...split(after)]
}
