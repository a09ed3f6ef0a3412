import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Clock } from '../clock/clock.ts'
import { incorrect, type Fault } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { Renewed } from './renewed.ts'

export interface TlsFiles {
  /** The certificate in PEM, followed by those of its issuers where there are any. */
  readonly certificateFile: string
  readonly keyFile: string
  /** The certificate authorities, in PEM, whose clients may connect. */
  readonly clientCaFile?: string
}

/** What `node:tls` takes, checked. */
interface TlsMaterial {
  readonly cert: string
  readonly key: string
  readonly ca: string | undefined
  readonly expiresAt: Date
}

/** Loads a certificate and its key, and says in one sentence what is wrong with them before a listener opens. */
export async function loadTls(files: TlsFiles, deps: { readonly clock: Clock }): Promise<TlsMaterial> {
  const { certificateFile, keyFile, clientCaFile } = files
  const cert = await readText(certificateFile, 'TLS certificate')
  const key = await readText(keyFile, 'TLS key')
  const ca = clientCaFile === undefined ? undefined : await loadAuthorities(clientCaFile, 'client CA')

  const certificate = parseCertificate(cert, `The TLS certificate ${certificateFile}`)
  if (!certificate.checkPrivateKey(parseKey(key, keyFile))) {
    throw tlsFault(
      `The TLS key ${keyFile} does not belong to the certificate ${certificateFile}. Name the pair that was issued together.`,
    )
  }
  const now = deps.clock.now()
  if (certificate.validToDate <= now) {
    throw tlsFault(
      `The TLS certificate ${certificateFile} expired at ${certificate.validToDate.toISOString()}. Renew it.`,
    )
  }
  if (certificate.validFromDate > now) {
    throw tlsFault(
      `The TLS certificate ${certificateFile} is valid only from ${certificate.validFromDate.toISOString()}. Check the clock of this machine.`,
    )
  }
  return { cert, key, ca, expiresAt: certificate.validToDate }
}

export interface ShownTlsDeps {
  readonly clock: Clock
  readonly metrics: Pick<Metrics, 'gauge'>
  readonly log: Log
}

/**
 * The same for a certificate that this process shows to others, as its files have it from now on. End it.
 * @param setting what names the certificate, such as `auth.tls.certificateFile`
 */
export const showTls = (setting: string, files: TlsFiles, deps: ShownTlsDeps): Promise<Renewed<TlsMaterial>> =>
  Renewed.open({ setting, load: () => loadShownTls(setting, files, deps) }, deps)

/** Once. When the certificate runs out is a metric, since nothing here notices it. */
export async function loadShownTls(
  setting: string,
  files: TlsFiles,
  { clock, metrics }: Omit<ShownTlsDeps, 'log'>,
): Promise<TlsMaterial> {
  const material = await loadTls(files, { clock })
  const help = 'When a TLS certificate that this process shows to others runs out.'
  metrics
    .gauge('corridor_tls_certificate_expiry_timestamp_seconds', help, ['certificate'])
    .set({ certificate: setting }, material.expiresAt.getTime() / 1_000)
  return material
}

/** The certificates, in PEM, of those who sign the certificates of others: `client CA`. */
export async function loadAuthorities(file: string, what: string): Promise<string> {
  const pem = await readText(file, what)
  parseCertificate(pem, `The ${what} ${file}`)
  return pem
}

/**
 * The files of a certificate and its key, undefined where neither is named.
 * @param path the group of the configuration that names them, such as `auth.tls`
 */
export function tlsPair(
  { certificateFile, keyFile }: { readonly [Name in 'certificateFile' | 'keyFile']: string | undefined },
  path: string,
): Pick<TlsFiles, 'certificateFile' | 'keyFile'> | undefined {
  if (certificateFile === undefined && keyFile === undefined) return undefined
  // Whoever named one of them wanted TLS, and would not hear that it is not there.
  if (certificateFile === undefined || keyFile === undefined) {
    const [named, missing] = keyFile === undefined ? ['certificateFile', 'keyFile'] : ['keyFile', 'certificateFile']
    throw tlsFault(`${path}.${named} is set and ${path}.${missing} is not. Name both, or neither.`)
  }
  return { certificateFile, keyFile }
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw tlsFault(`The ${what} ${path} cannot be read (${code}). Check its path and permissions.`, error)
  }
}

function parseCertificate(pem: string, what: string): X509Certificate {
  try {
    return new X509Certificate(pem)
  } catch (error) {
    throw tlsFault(`${what} is not a certificate in PEM form.`, error)
  }
}

function parseKey(pem: string, path: string): KeyObject {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem)) {
    throw tlsFault(
      `The TLS key ${path} is protected by a passphrase. Give a key without one, readable only by Corridor.`,
    )
  }
  try {
    return createPrivateKey(pem)
  } catch (error) {
    throw tlsFault(`The TLS key ${path} is not a private key in PEM form.`, error)
  }
}

const tlsFault = (shown: string, cause?: unknown): Fault => incorrect(shown, { code: 'TLS_FILES', cause })
