import { createHmac, timingSafeEqual } from 'node:crypto'

export interface SignedMessage {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/**
 * The headers of a signed webhook, by the rules of standardwebhooks.com: HMAC-SHA256 over id, time and body. The time is
 * inside, so that a receiver can refuse what is old; the id, so that it can drop what it has seen.
 */
export function webhookHeaders(message: SignedMessage, secret: string): Readonly<Record<string, string>> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': `v1,${signatureOf(message, secret)}`,
  }
}

/** What a receiver does: true when one of the signatures is right. */
export function isSignedBy(secret: string, message: SignedMessage, signatures: string): boolean {
  const right = Buffer.from(signatureOf(message, secret))
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''))
    return given.length === right.length && timingSafeEqual(given, right)
  })
}

function signatureOf({ id, timestamp, body }: SignedMessage, secret: string): string {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
}

/** A secret with the prefix is base64; any other is its own bytes. */
const keyOf = (secret: string) =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret)
