// What can be said about something that claims to be a vaccination certificate.
import { envelopeVerdict } from './envelope.ts'
import { healthCardVerdict } from './health-card.ts'
import { doubt, jsonOf, type TrustedKeys, type Verdict } from './parts.ts'

/** Reads a scanned code, a pasted text or the content of a file. */
export async function verdictOf(text: string, trusted: TrustedKeys, now: Date): Promise<Verdict> {
  const trimmed = text.trim()
  if (/^shc:\/\d+$/i.test(trimmed)) return healthCardVerdict(fromDigits(trimmed.slice(5)), trusted, now)
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(trimmed)) return healthCardVerdict(trimmed, trusted, now)
  const found = jsonOf(trimmed)
  if (found === undefined) return doubt('not-a-certificate')
  const cards: unknown = found['verifiableCredential']
  if (Array.isArray(cards)) return fileVerdict(cards.filter(isText), trusted, now)
  if ('data' in found && 'sig' in found) return envelopeVerdict(found, trusted)
  return doubt(found['typ'] === 'icao.vacc' ? 'not-signed' : 'not-a-certificate')
}

/**
 * A file may hold several cards: those that one person's doses were too many for, and those of other issuers. Of ours every
 * one has to be good. It is about the person of the first.
 */
async function fileVerdict(cards: readonly string[], trusted: TrustedKeys, now: Date): Promise<Verdict> {
  if (cards.length === 0) return doubt('not-a-certificate')
  const all = await Promise.all(cards.map((card) => healthCardVerdict(card, trusted, now)))
  const ours = all.filter((one) => one.isValid || one.why !== 'other-issuer')
  const wrong = ours.find(({ isValid }) => !isValid)
  if (wrong !== undefined) return wrong
  const [first, ...others] = ours.flatMap((one) => (one.isValid ? [one.certified] : []))
  if (first === undefined) return doubt('other-issuer')
  const { name, birthDate } = first
  const same = others.filter((other) => other.name === name && other.birthDate === birthDate)
  return { isValid: true, certified: { ...first, doses: [first, ...same].flatMap(({ doses }) => doses) } }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Two digits a letter, its code less 45. */
const fromDigits = (digits: string) =>
  (digits.match(/\d\d/g) ?? []).map((pair) => String.fromCharCode(Number(pair) + 45)).join('')
