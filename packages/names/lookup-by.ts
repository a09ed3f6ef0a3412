import type { LookupAddress, LookupOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

type Find = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>

/** What a socket takes, of a function that finds all addresses of a name. */
export function lookupBy(find: Find): LookupFunction {
  const found = callbackify(find)
  return (hostname, options, callback) =>
    found(hostname, options, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const [first] = addresses
      if (options.all === true || first === undefined) return callback(null, addresses)
      return callback(null, first.address, first.family)
    })
}
