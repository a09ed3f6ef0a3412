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
  if (Array.isArray(cards) && typeof cards[0] === 'string') return healthCardVerdict(cards[0], trusted, now)
  if ('data' in found && 'sig' in found) return envelopeVerdict(found, trusted)
  return doubt(found['typ'] === 'icao.vacc' ? 'not-signed' : 'not-a-certificate')
}

/** Two digits a letter, its code less 45. */
const fromDigits = (digits: string) =>
  (digits.match(/\d\d/g) ?? []).map((pair) => String.fromCharCode(Number(pair) + 45)).join('')
