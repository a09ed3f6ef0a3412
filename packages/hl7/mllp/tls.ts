import type { TlsOptions } from 'node:tls'
import { tlsFloor } from '../../keys/tls-floor.ts'

/** PEM texts. They are read for each connection, so that they may be renewed meanwhile. */
export interface ServerTls {
  readonly cert: string
  readonly key: string
  /** Who may have signed the senders' certificates; with it, every sender must show one (mutual TLS). */
  readonly clientCa?: string | undefined
}

/** The same of a sender. */
export interface ClientTls {
  /** Who must have signed the receiver's certificate; the system's authorities when not given. */
  readonly ca?: string | undefined
  /** What we show to a receiver that asks for a certificate. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

export function serverTlsOptions({ cert, key, clientCa }: ServerTls, handshakeTimeoutMs: number): TlsOptions {
  const mutual = clientCa === undefined ? {} : { ca: clientCa, requestCert: true, rejectUnauthorized: true }
  return { cert, key, ...tlsFloor, handshakeTimeout: handshakeTimeoutMs, ...mutual }
}
