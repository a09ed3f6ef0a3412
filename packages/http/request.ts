import { isIPv4 } from 'node:net'
import type { Trace } from './trace.ts'

/** What a route, a guard and a CORS rule may know of a request beside its declared input. */
export interface IncomingRequest {
  /** The caller's `X-Request-Id` or trace id where well formed, else one of ours. Echoed in the answer. */
  readonly id: string
  readonly trace: Trace
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  /** The route's pattern, never the URL: fit for logs and metrics. */
  readonly route: string
  /** The address of the client: the other end of the socket, or whom a trusted proxy there has heard. */
  readonly peer: string
  /** A program on this machine that has asked for this machine. */
  readonly isLoopback: boolean
  readonly isSecure: boolean
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly cookies: ReadonlyMap<string, string>
  /** The body as it came, also where the route declares none; undefined until it is read and where there is none. */
  readonly rawBody: Uint8Array | undefined
  /** Aborts when the caller has gone before the answer was complete. */
  readonly signal: AbortSignal
}

/** A header that occurs once, as text. */
export function headerOf(request: Pick<IncomingRequest, 'headers'>, name: string): string | undefined {
  const value = request.headers[name.toLowerCase()]
  return typeof value === 'string' ? value : value?.[0]
}

/** What comes after the question mark, as sent. */
export const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

export function isLoopbackAddress(address: string | undefined): boolean {
  if (address === undefined) return false
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'))
}

/** The same of what people write: a name, or an address, in brackets as a URL has those of IPv6 or without. */
export const isLoopbackHost = (host: string): boolean =>
  host.toLowerCase() === 'localhost' || isLoopbackAddress(/^\[(.+)\]$/.exec(host)?.[1] ?? host)

/**
 * Of a Host header. A page of another site can have its own name point to this machine, and then a browser here asks for
 * it; a proxy here passes on what the world asks: only the name that was asked for tells.
 */
export function isNameOfThisMachine(host: string | undefined): boolean {
  const asked = `http://${host ?? ''}`
  return URL.canParse(asked) && isLoopbackHost(new URL(asked).hostname)
}
