import { BlockList, isIP } from 'node:net'
import { bug } from '../../faults/fault.ts'

/** True for the addresses that may connect. Takes addresses and networks (`10.1.0.0/16`); without a list, everyone. */
export function allowedSenders(list: readonly string[] | undefined): (address: string | undefined) => boolean {
  if (list === undefined) return () => true
  const allowed = new BlockList()
  for (const entry of list) addEntry(allowed, entry)
  return (address) => {
    const plain = plainAddress(address)
    return plain !== undefined && allowed.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
  }
}

/** A socket that listens on IPv6 shows an IPv4 sender as `::ffff:10.1.2.3`. */
export function plainAddress(address: string | undefined): string | undefined {
  return address?.replace(/^::ffff:(?=\d+\.)/i, '')
}

function addEntry(allowed: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/')
  const version = isIP(address)
  const isNetworkSize = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
  if (version === 0 || !isNetworkSize) throw bug(`"${entry}" is neither an address nor a network such as 10.1.0.0/16`)
  const family = version === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) allowed.addAddress(address, family)
  else allowed.addSubnet(address, Number(bits), family)
}
