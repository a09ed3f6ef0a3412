import { roles, type Caller, type Role } from './caller.ts'
import { invalidToken } from './invalid-token.ts'

export interface ClaimRules {
  readonly issuer: string
  /** A token is good here when its `aud` holds any of these. */
  readonly audiences: readonly string[]
  readonly leewaySeconds: number
}

type Claims = Readonly<Record<string, unknown>>

/** Holds the claims of a verified token against the rules of RFC 9068 section 4 and tells who calls. */
export function callerOf(claims: Claims, rules: ClaimRules, now: Date): Caller {
  if (claims['iss'] !== rules.issuer) throw invalidToken('The access token is from another issuer.')
  if (!isMeantFor(claims['aud'], rules.audiences)) throw invalidToken('The access token is for another service.')

  const latestStart = now.getTime() / 1000 + rules.leewaySeconds
  const expiresAt = new Date(seconds(claims, 'exp') * 1000)
  if (isExpired(expiresAt, rules.leewaySeconds, now)) throw expired()
  if (claims['nbf'] !== undefined && seconds(claims, 'nbf') > latestStart) {
    throw invalidToken('The access token is not valid yet.')
  }
  if (seconds(claims, 'iat') > latestStart) throw invalidToken('The access token was issued in the future.')

  return Object.freeze({
    subject: requiredText(claims, 'sub'),
    clientId: requiredText(claims, 'client_id'),
    roles: readRoles(claims['roles']),
    scope: optionalText(claims, 'scope', 16_384) ?? '',
    organisation: optionalText(claims, 'organisation'),
    patient: optionalText(claims, 'patient'),
    encounter: optionalText(claims, 'encounter'),
    fhirUser: optionalText(claims, 'fhirUser', 2_048),
    tokenId: requiredText(claims, 'jti'),
    grantId: optionalText(claims, 'gid'),
    expiresAt,
  })
}

export function isExpired(expiresAt: Date, leewaySeconds: number, now: Date): boolean {
  return expiresAt.getTime() + leewaySeconds * 1000 <= now.getTime()
}

export const expired = () => invalidToken('The access token has expired.')

function isMeantFor(aud: unknown, audiences: readonly string[]): boolean {
  const named: unknown[] = Array.isArray(aud) ? aud : [aud]
  return named.every((one) => typeof one === 'string') && named.some((one) => audiences.includes(one))
}

/** The end of the year 9999: beyond it a Date no longer prints as the ISO instant that borders expect. */
const secondsMax = 253_402_300_799

function seconds(claims: Claims, name: 'exp' | 'nbf' | 'iat'): number {
  const value = claims[name]
  if (typeof value === 'number' && value >= 0 && value <= secondsMax) return value
  throw invalidToken(`The access token has no usable "${name}".`)
}

/** OpenID Connect bounds `sub` at 255 characters; the other identifiers follow. */
const identifierCharactersMax = 255

function requiredText(claims: Claims, name: 'sub' | 'client_id' | 'jti'): string {
  const value = optionalText(claims, name)
  if (value === undefined || value === '') throw invalidToken(`The access token has no usable "${name}".`)
  return value
}

/** Absent and null mean the same: launch context is written as null when there is none. */
function optionalText(claims: Claims, name: string, charactersMax = identifierCharactersMax): string | undefined {
  const value = claims[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' && value.length <= charactersMax && !/[\u0000-\u001f\u007f]/.test(value)) return value
  throw invalidToken(`The access token has no usable "${name}".`)
}

/**
 * An array of words or one text with spaces, each with or without `ROLE_`. Words that are no role of ours are left
 * out, so a token without roles is a token that opens no door kept by a role.
 */
function readRoles(claim: unknown): ReadonlySet<Role> {
  const words: unknown = typeof claim === 'string' ? claim.split(' ') : (claim ?? [])
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) {
    throw invalidToken('The access token has no usable "roles".')
  }
  const named = new Set(words.map((word) => word.replace(/^ROLE_/, '')))
  return new Set(roles.filter((role) => named.has(role)))
}
