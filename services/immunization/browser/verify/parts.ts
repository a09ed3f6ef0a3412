// What the kinds of certificate have in common. No name of the DOM is used here or in verdict.ts, so that the same code
// is tested without a browser.
export interface PublicKey {
  readonly kid: string
  readonly x: string
  readonly y: string
  readonly kty: string
  readonly crv: string
}

export interface TrustedKeys {
  /** The addresses of which cards must name one as their issuer: that of today, and those from before. */
  readonly issuers: readonly string[]
  readonly keys: readonly PublicKey[]
}

export interface CertifiedDose {
  readonly system: string | undefined
  readonly code: string | undefined
  readonly name: string | undefined
  readonly date: string | undefined
  readonly lot: string | undefined
  readonly givenBy: string | undefined
}

export interface Certified {
  readonly name: string
  readonly birthDate: string | undefined
  /** ISO instant; an envelope does not say. */
  readonly issuedAt: string | undefined
  readonly doses: readonly CertifiedDose[]
}

export type Doubt =
  | 'not-a-certificate'
  | 'not-signed'
  | 'other-issuer'
  | 'unknown-key'
  /** The same, where nobody could be asked whether there are newer keys. */
  | 'unknown-key-or-old-page'
  | 'bad-signature'
  | 'not-yet-valid'
  | 'expired'

export type Verdict =
  | { readonly isValid: true; readonly certified: Certified }
  /** What it says is shown only when somebody we know has signed it. */
  | { readonly isValid: false; readonly why: Doubt }

export const doubt = (why: Doubt): Verdict => ({ isValid: false, why })

export function jsonOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Undefined for what is no base64url. */
export function bytesOf(base64url: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const letters = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

export async function isSigned(key: PublicKey, signature: Uint8Array<ArrayBuffer>, text: string): Promise<boolean> {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' }
  const { kty, crv, x, y } = key
  const imported = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, curve, false, ['verify'])
  return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, imported, signature, new TextEncoder().encode(text))
}
