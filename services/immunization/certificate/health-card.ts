import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { CompactSign } from 'jose'
import type { CertifiedDose, ValidDose } from './certified-dose.ts'
import { healthCardBundle } from './health-card-bundle.ts'
import type { NamedPerson } from './icao-name.ts'
import type { CertificateKey } from './keys.ts'
import type { QrMatrix } from './qr-matrix.ts'
import { segmentedMatrix } from './qr-segments.ts'
import { withoutSlash } from '../settings.ts'
import { checkIdentified, nothingToSign, vouchedFor } from './signable.ts'

export interface HealthCardInput {
  readonly patient: NamedPerson
  readonly immunizations: readonly CertifiedDose[]
  /** YYYY-MM-DD, where the app stands. */
  readonly today: string
  /** The public address of the app; its key set lies at `<issuer>/.well-known/jwks.json`. */
  readonly issuer: string
  readonly issuedAt: Date
  readonly key: CertificateKey
}

/** A SMART Health Card: a compact JWS over a deflated credential. */
export async function healthCard(input: HealthCardInput): Promise<string> {
  checkIdentified(input.patient)
  const signed = vouchedFor(input.immunizations, input)
  if (signed.length === 0) throw nothingToSign()
  return cardOf(input, signed)
}

async function cardOf(input: HealthCardInput, signed: readonly ValidDose[]): Promise<string> {
  const credential = {
    // Readers join the path of the key set to it, and compare it letter by letter.
    iss: withoutSlash(input.issuer),
    nbf: Math.floor(input.issuedAt.getTime() / 1_000),
    vc: {
      type: ['https://smarthealth.cards#health-card', 'https://smarthealth.cards#immunization'],
      credentialSubject: {
        fhirVersion: '4.0.1',
        fhirBundle: healthCardBundle(input.patient, signed),
      },
    },
  }
  const deflated = await deflate(JSON.stringify(credential), { level: 9 })
  return new CompactSign(deflated)
    .setProtectedHeader({ zip: 'DEF', alg: 'ES256', kid: input.key.kid })
    .sign(input.key.privateKey)
}

/** One of the codes of a health card; each is a whole card of some of the doses. */
export interface HealthCardCode {
  readonly number: number
  readonly of: number
  readonly doses: number
  /** `shc:/` and the digits. */
  readonly text: string
  readonly matrix: QrMatrix
}

/**
 * As few cards as hold all doses in codes that telephones read well: those of version 22 at most. A dose that fits none,
 * because somebody wrote a page in the place of a lot, is in none; the file has it.
 */
export async function healthCardCodes(input: HealthCardInput): Promise<readonly HealthCardCode[]> {
  // Where the name alone fits no code no dose does: with a page in the place of it each of them took as long as all.
  if (cardMatrix(await cardOf(input, [])) === undefined) return []
  const codes = await halvedUntilTheyFit({ ...input, immunizations: vouchedFor(input.immunizations, input) })
  return codes.map((code, at) => ({ ...code, number: at + 1, of: codes.length }))
}

/** The file that health apps open, `.smart-health-card`. */
export function healthCardFile(cards: readonly string[]): string {
  return JSON.stringify({ verifiableCredential: cards })
}

export const healthCardFileType = 'application/smart-health-card'
export const healthCardFileName = 'vaccinations.smart-health-card'

/** Each letter of the card as two digits, its code less 45. */
export function numericText(card: string): string {
  return `${prefix}${digitsOf(card)}`
}

const deflate = promisify(deflateRaw)
const prefix = 'shc:/'
const versionMax = 22

const digitsOf = (card: string) => Array.from(card, (sign) => String(sign.charCodeAt(0) - 45).padStart(2, '0')).join('')

async function halvedUntilTheyFit(input: HealthCardInput): Promise<Omit<HealthCardCode, 'number' | 'of'>[]> {
  const { immunizations } = input
  const card = await healthCard(input)
  const matrix = cardMatrix(card)
  if (matrix !== undefined) return [{ doses: immunizations.length, text: numericText(card), matrix }]
  if (immunizations.length < 2) return []
  const middle = Math.ceil(immunizations.length / 2)
  const halves = [immunizations.slice(0, middle), immunizations.slice(middle)]
  return (await Promise.all(halves.map((half) => halvedUntilTheyFit({ ...input, immunizations: half })))).flat()
}

/** The best protected code, of the fewest modules, that holds the card. */
function cardMatrix(card: string): QrMatrix | undefined {
  const text = { prefix, digits: digitsOf(card) }
  for (const level of ['quartile', 'medium', 'low'] as const) {
    for (let version = 1; version <= versionMax; version++) {
      const matrix = segmentedMatrix(text, version, level)
      if (matrix !== undefined) return matrix
    }
  }
  return undefined
}
