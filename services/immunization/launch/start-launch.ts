import { hash } from 'node:crypto'
import { later } from '../../../packages/clock/later.ts'
import type { ImmunizationDeps } from '../deps.ts'
import { digestOf, seal } from '../../../packages/sign-in/sealed.ts'
import { tooManyWait } from '../../../packages/sign-in/waiting-limits.ts'
import type { ImmunizationSettings } from '../settings.ts'
import { addLaunch } from '../store/launches.ts'
import type { Issuer } from './issuer-directory.ts'

interface LaunchWish {
  /** The base address of the FHIR server; it must be one of those allowed. */
  readonly iss: string
  /** The launch token of an EHR; without one the app starts by itself and the user picks a patient. */
  readonly launch: string | undefined
}

export const launchSeconds = 600

/** Remembers a launch and tells where to send the browser for a code. */
export async function startLaunch(
  { iss, launch }: LaunchWish,
  browser: { readonly secret: string; readonly addressHash: string },
  deps: Pick<ImmunizationDeps, 'issuers' | 'settings' | 'database' | 'clock' | 'ids'>,
): Promise<string> {
  const { settings, database, clock, ids } = deps
  const issuer = await deps.issuers.find(iss)
  const state = ids.secret()
  const nonce = ids.secret()
  // 96 bytes are 128 characters, the longest that PKCE allows.
  const verifier = ids.secret(96)
  const now = clock.now()
  const isKept = await addLaunch(
    { stateHash: digestOf(state), browserHash: digestOf(browser.secret) },
    { issuer: issuer.base, sealedVerifier: seal(verifier, state), nonce },
    { addressHash: browser.addressHash, now, expiresAt: later(now, launchSeconds) },
    database,
  )
  if (!isKept) throw tooManyWait()
  const address = new URL(issuer.authorizationEndpoint)
  const parameters = {
    ...{ response_type: 'code', client_id: settings.clientId, redirect_uri: settings.redirectUri },
    scope: scopesFor(launch !== undefined, issuer, settings),
    ...{ state, nonce, aud: issuer.base },
    ...{ code_challenge: hash('sha256', verifier, 'base64url'), code_challenge_method: 'S256' },
    ...(launch === undefined ? {} : { launch }),
  }
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
  return address.href
}

function scopesFor(
  isEhrLaunch: boolean,
  { hasOnlineAccess }: Pick<Issuer, 'hasOnlineAccess'>,
  { writeForecast }: Pick<ImmunizationSettings, 'writeForecast'>,
): string {
  return [
    isEhrLaunch ? 'launch' : 'launch/patient',
    // Who signs out at the portal leaves nobody in here; the other word outlives the login (decision 1720).
    ...['openid', 'fhirUser', hasOnlineAccess ? 'online_access' : 'offline_access'],
    ...['patient/Patient.rs', 'patient/Immunization.rs', 'patient/ImmunizationRecommendation.rs'],
    // A word of its own: a server that lets nobody write can leave it out and grant the rest.
    ...(writeForecast ? ['patient/ImmunizationRecommendation.cu'] : []),
  ].join(' ')
}
