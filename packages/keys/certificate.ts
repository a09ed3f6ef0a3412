import { createPrivateKey, generateKeyPair, randomBytes, sign, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { systemClock, type Clock } from '../clock/clock.ts'
import { bits, context, der, integer, objectId, octets, sequence, set, time, utf8 } from './der.ts'

/** PEM texts, as TLS options take them. */
export interface Certificate {
  readonly name: string
  readonly cert: string
  readonly key: string
}

export interface CertificateOptions {
  /** DNS name of the server, or the name of a client. */
  readonly name: string
  /** Who signs it; itself when left out. */
  readonly issuer?: Certificate
  /** Negative for a certificate that has expired. */
  readonly validDays?: number
  /** Instead of days from now. */
  readonly valid?: { readonly from: Date; readonly to: Date }
  /** P-256 unless it has to be one of RSA. */
  readonly keyType?: 'ec' | 'rsa'
  readonly clock?: Clock
}

/** A real X.509 certificate with a fresh key, made without any program that a machine may lack. */
export async function makeCertificate(options: CertificateOptions): Promise<Certificate> {
  const { name, issuer, validDays = 30, keyType = 'ec', clock = systemClock } = options
  const { publicKey, privateKey } = await freshKeys[keyType]()
  const signer = issuer === undefined ? privateKey : createPrivateKey(issuer.key)
  const valid =
    options.valid === undefined
      ? validity(clock.now(), validDays)
      : sequence(time(options.valid.from), time(options.valid.to))
  const algorithm = signer.asymmetricKeyType === 'rsa' ? rsaWithSha256 : ecdsaWithSha256
  const body = certificateBody({ name, issuerName: issuer?.name ?? name, publicKey, valid, algorithm })
  const signature = sign('sha256', body, { key: signer, dsaEncoding: 'der' })
  const certificate = sequence(body, algorithm, bits(signature))
  return { name, cert: pem(certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

const freshKeys = {
  ec: () => promisify(generateKeyPair)('ec', { namedCurve: 'P-256' }),
  rsa: () => promisify(generateKeyPair)('rsa', { modulusLength: 2048 }),
}

export const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'))
const rsaWithSha256 = sequence(objectId('1.2.840.113549.1.1.11'), der(0x05, Buffer.alloc(0)))

interface CertificateBody {
  readonly name: string
  readonly issuerName: string
  readonly publicKey: KeyObject
  readonly valid: Buffer
  readonly algorithm: Buffer
}

/** RFC 5280 section 4.1: TBSCertificate. */
function certificateBody({ name, issuerName, publicKey, valid, algorithm }: CertificateBody): Buffer {
  const version3 = context(0, integer(Buffer.of(2)))
  // Positive and never of too few bytes, whatever chance gives.
  const serial = integer(Buffer.concat([Buffer.of(0x4c), randomBytes(8)]))
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const extensions = context(3, sequence(basicConstraints, alternativeNames(name)))
  const names = [distinguishedName(issuerName), valid, distinguishedName(name)]
  return sequence(version3, serial, algorithm, ...names, key, extensions)
}

/** Every certificate may sign others: chains are one or two long. */
const basicConstraints = sequence(
  objectId('2.5.29.19'),
  der(0x01, Buffer.of(0xff)),
  octets(sequence(der(0x01, Buffer.of(0xff)))),
)

/** The name itself, and the loopback addresses, where such listeners are. */
function alternativeNames(name: string): Buffer {
  const dnsName = (text: string) => der(0x82, Buffer.from(text, 'latin1'))
  const address = (bytes: readonly number[]) => der(0x87, Buffer.from(bytes))
  const loopback = [address([127, 0, 0, 1]), address([...Array.from({ length: 15 }, () => 0), 1])]
  return sequence(objectId('2.5.29.17'), octets(sequence(dnsName(name), ...loopback)))
}

const distinguishedName = (commonName: string) => sequence(set(sequence(objectId('2.5.4.3'), utf8(commonName))))

function validity(now: Date, validDays: number): Buffer {
  const dayMs = 86_400_000
  const end = now.getTime() + validDays * dayMs
  return sequence(time(new Date(Math.min(now.getTime(), end) - dayMs)), time(new Date(end)))
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
