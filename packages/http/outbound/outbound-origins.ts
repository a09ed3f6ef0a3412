import { bug } from '../../faults/fault.ts'

/** A server that may be called. Nothing else can be. */
export interface OutboundOrigin {
  /** Any address on it; only scheme, host and port count. */
  readonly url: string
  /** In messages, logs and metrics: `consent service`. */
  readonly name: string
  /** The Authorization header for this origin. It is never sent to another. */
  readonly authorization?: () => string | Promise<string>
}

export function originTable(origins: readonly (string | OutboundOrigin)[]): ReadonlyMap<string, OutboundOrigin> {
  return new Map(
    origins.map((given) => {
      const origin = typeof given === 'string' ? { url: given, name: `server ${new URL(given).host}` } : given
      return [originOf(origin.url), origin]
    }),
  )
}

/** The origin of an address that may be called at all. */
export function originOf(url: string): string {
  const parsed = new URL(url)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') throw bug('only http and https can be called')
  // Credentials inside an address end up in logs and would stand in for those bound to the origin.
  if (parsed.username !== '' || parsed.password !== '') throw bug('an address to call must not hold credentials')
  return parsed.origin
}
