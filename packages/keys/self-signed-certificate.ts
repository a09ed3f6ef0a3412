import { generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'

export interface SelfSigned {
  readonly certificate: string
  readonly key: string
}

/**
 * A certificate for this machine's own names, signed by itself: enough to try TLS and to test it, trusted by nobody
 * else. Node can read certificates but not make them, so the few lines of DER (ITU-T X.690) are written here.
 */
export async function makeSelfSigned(options: {
  readonly validFrom: Date
  readonly validTo: Date
  readonly commonName?: string
}): Promise<SelfSigned> {
  const { validFrom, validTo, commonName = 'localhost' } = options
  const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from(commonName)))))
  const content = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(time(validFrom), time(validTo)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subjectAltName)),
  )
  const signature = sign('sha256', content, privateKey)
  const certificate = sequence(content, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.of(0), signature])))
  return { certificate: pem(certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), body])
  const header = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...header), body])
}

const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts)
const integer = (value: number) => der(0x02, Buffer.of(value))
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

/** RFC 5280 section 4.1.2.5: two digits for the year until 2049, four from then on. */
function time(at: Date): Buffer {
  const digits = at.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  return at.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(`${digits.slice(2)}Z`))
    : der(0x18, Buffer.from(`${digits}Z`))
}

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))

/** localhost, 127.0.0.1 and ::1. */
const subjectAltName = sequence(
  oid('551d11'),
  der(
    0x04,
    sequence(
      der(0x82, Buffer.from('localhost')),
      der(0x87, Buffer.of(127, 0, 0, 1)),
      der(0x87, Buffer.concat([Buffer.alloc(15), Buffer.of(1)])),
    ),
  ),
)

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}
