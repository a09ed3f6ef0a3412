import type { ServerOptions } from 'node:https'

/** A certificate and its key in PEM, checked by `loadTls` of packages/keys before they come here. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
}

/** Options for a TLS listener, 1.2 or newer. */
export function tlsOptions({ cert, key }: TlsPair): ServerOptions {
  return { cert, key, minVersion: 'TLSv1.2', handshakeTimeout: 5_000 }
}
