import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import type { ServerOptions } from 'node:https'
import { incorrect } from '../faults/fault.ts'

export interface TlsFiles {
  /** PEM, with the chain after it. */
  readonly certificate: string
  /** PEM. */
  readonly key: string
}

/** Options for a TLS listener, 1.2 or newer. Says in one sentence what is wrong with the files. */
export function tlsOptions(files: TlsFiles): ServerOptions {
  const certificate = readCertificate(files.certificate)
  const key = readKey(files.key)
  if (!certificate.checkPrivateKey(key)) {
    throw incorrect(
      'The TLS key does not belong to the TLS certificate. Give the key that the certificate was made for.',
    )
  }
  return { cert: files.certificate, key: files.key, minVersion: 'TLSv1.2', handshakeTimeout: 5_000 }
}

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    throw incorrect(
      'The TLS certificate cannot be read. Give it as PEM, starting with "-----BEGIN CERTIFICATE-----".',
      {
        cause: error,
      },
    )
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (error) {
    throw incorrect('The TLS key cannot be read. Give it as PEM without a pass phrase.', { cause: error })
  }
}
