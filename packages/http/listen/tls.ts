import type { ServerOptions } from 'node:https'
import { tlsFloor } from '../../keys/tls-floor.ts'

/** A certificate and its key in PEM, checked by `loadTls` of packages/keys before they come here. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
}

/** Options for a TLS listener. */
export function tlsOptions({ cert, key }: TlsPair): ServerOptions {
  return { cert, key, ...tlsFloor, handshakeTimeout: 5_000 }
}
