import { decodeJwt, decodeProtectedHeader, jwtVerify, type JWTPayload, type ProtectedHeaderParameters } from 'jose'
import type { Clock } from '../../../packages/clock/clock.ts'
import { assert, unauthenticated } from '../../../packages/faults/fault.ts'
import type { KnownClients } from '../registration/known-clients.ts'
import { digestOf } from '../secrets/digest.ts'
import type { AuthSettings } from '../settings.ts'
import type { Client } from '../store/clients.ts'
import { assertionFault } from './assertion-faults.ts'
import type { AssertionUses } from './assertion-uses.ts'
import type { ClientKey, ClientKeys } from './client-keys.ts'
import { otherWay } from './registered-way.ts'

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The algorithms of SMART's asymmetric client authentication, and the two that older clients use; with their keys. */
export const assertionAlgorithms = { RS384: 'RSA', ES384: 'EC', RS256: 'RSA', ES256: 'EC' } as const

const lifetimeSecondsMax = 300
const leewaySeconds = 30

export interface AssertionDeps {
  readonly settings: AuthSettings
  readonly clock: Clock
  readonly clientKeys: ClientKeys
  readonly assertionUses: AssertionUses
  readonly knownClients: KnownClients
}

/** The client that proves itself with a JWT (RFC 7523, as SMART App Launch 2.2 narrows it). */
export async function clientOfAssertion(assertion: string, deps: AssertionDeps): Promise<Client> {
  const { header, claimed } = decoded(assertion)
  const clientId = claimed.iss
  if (clientId === undefined || claimed.sub !== clientId) throw failed('must have the client_id as iss and as sub')
  const client = await deps.knownClients.find(clientId)
  if (client === undefined) throw failed('is of an unknown client')
  const other = otherWay(client, 'private_key_jwt')
  if (other !== undefined) throw unauthenticated(other, { code: 'invalid_client' })
  if (header.jku !== undefined && header.jku !== client.jwksUri) throw failed('names a jku that is not registered')

  const { alg, key } = await verificationKey(header, client, deps.clientKeys)
  const now = deps.clock.now()
  const { issuer } = deps.settings
  const audience = `${issuer}/oauth2/token`
  const { payload } = await jwtVerify(assertion, key, {
    algorithms: [alg],
    issuer: clientId,
    subject: clientId,
    audience: [audience, issuer],
    currentDate: now,
    clockTolerance: leewaySeconds,
    requiredClaims: ['exp', 'jti'],
  }).catch((error: unknown) => {
    throw failed(assertionFault(error, { audience, now }), error)
  })
  await takeOnce(payload, client, now, deps)
  return client
}

function decoded(assertion: string): { header: ProtectedHeaderParameters; claimed: JWTPayload } {
  try {
    return { header: decodeProtectedHeader(assertion), claimed: decodeJwt(assertion) }
  } catch (error) {
    throw failed('is not a signed JWT', error)
  }
}

/** Exactly one key may fit: with two of one name nobody could say which of them signed. */
async function verificationKey(header: ProtectedHeaderParameters, client: Client, clientKeys: ClientKeys) {
  const { alg, kid } = header
  if (!isAlgorithm(alg)) throw failed(`must be signed with ${Object.keys(assertionAlgorithms).join(', ')}`)
  if (typeof kid !== 'string') throw failed('must name its key in kid')
  const fitting = (await clientKeys.named(kid, client)).filter((key) => fits(key, alg))
  const [only] = fitting
  if (only === undefined || fitting.length > 1) throw failed('does not name exactly one key of the client')
  try {
    return { alg, key: clientKeys.usable(only) }
  } catch (error) {
    throw failed('names a key that cannot be used', error)
  }
}

const isAlgorithm = (alg: string | undefined): alg is keyof typeof assertionAlgorithms =>
  alg !== undefined && Object.hasOwn(assertionAlgorithms, alg)

function fits(key: ClientKey, alg: keyof typeof assertionAlgorithms): boolean {
  const isForSigning = key['use'] === undefined || key['use'] === 'sig'
  const isForThis = key['alg'] === undefined || key['alg'] === alg
  // A private member would make a shared secret of it, or worse; a symmetric key never fits a kty below.
  return key['kty'] === assertionAlgorithms[alg] && isForSigning && isForThis && key['d'] === undefined
}

async function takeOnce({ exp, jti }: JWTPayload, { clientId }: Client, now: Date, { assertionUses }: AssertionDeps) {
  assert(exp !== undefined, 'jose has checked that there is an exp')
  if (typeof jti !== 'string' || jti === '' || jti.length > 255) throw failed('must have a jti')
  if (exp > now.getTime() / 1_000 + lifetimeSecondsMax + leewaySeconds) throw failed('must expire within five minutes')
  const expiresAt = new Date((exp + leewaySeconds) * 1_000)
  const isFirstUse = await assertionUses.submit({ clientId, jtiHash: digestOf(jti), expiresAt })
  if (!isFirstUse) throw failed('was used before')
}

const failed = (what: string, cause?: unknown) =>
  unauthenticated(`The client assertion ${what}.`, { code: 'invalid_client', cause })
