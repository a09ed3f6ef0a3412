import { later } from '../../../packages/clock/later.ts'
import { Fault } from '../../../packages/faults/fault.ts'
import type { ImmunizationDeps } from '../deps.ts'
import { digestOf, seal, unseal } from '../../../packages/sign-in/sealed.ts'
import type { Tokens } from '../../../packages/sign-in/session.ts'
import { askForTokens, type Granted } from '../../../packages/sign-in/token-endpoint.ts'
import { takeLaunch, type Launch } from '../store/launches.ts'
import { addSession, endSession, type OpenSession } from '../store/sessions.ts'
import { giveTokensBack } from '../session/give-tokens-back.ts'
import { identityOf, type Identity } from './identity.ts'
import type { Issuer } from './issuer-directory.ts'
import type { LaunchError } from './launch-errors.ts'
import { practitionerName } from './practitioner-name.ts'
import { launchContextOf, type LaunchContext } from './launch-context.ts'

/** What the authorization server sent along with the browser. */
interface CallbackParameters {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly error?: string | undefined
  /** RFC 9207: who answers. */
  readonly iss?: string | undefined
}

type Finished =
  | { readonly is: 'open'; readonly secret: string; readonly replacedOtherPatient: boolean }
  | { readonly is: 'failed'; readonly error: LaunchError }

const failed = (error: LaunchError): Finished => ({ is: 'failed', error })

/** Exchanges the code and begins a session; the one that this browser had before ends. */
export async function finishLaunch(
  given: CallbackParameters,
  browser: { readonly secret: string | undefined; readonly before: OpenSession | undefined },
  deps: ImmunizationDeps,
): Promise<Finished> {
  const launch = await launchOf(given, browser.secret, deps)
  if (launch === undefined || given.state === undefined) return failed('invalid_state')
  if (given.error === 'access_denied') return failed('access_denied')
  if (given.code === undefined) return failed('token_exchange_failed')
  try {
    const issuer = await deps.issuers.find(launch.issuer)
    // Another server's answer, mixed up with ours (RFC 9207 section 2.4).
    if (given.iss !== undefined && issuer.identity !== undefined && given.iss !== issuer.identity.issuer) {
      return failed('invalid_state')
    }
    const codeVerifier = unseal(launch.sealedVerifier, given.state)
    const request = { code: given.code, codeVerifier, redirectUri: deps.settings.redirectUri }
    const granted = await askForTokens(issuer.tokenEndpoint, deps.settings.clientId, request, deps)
    if (granted.is === 'refused') return failed('token_exchange_failed')
    // No session comes of it, so nobody would ever use what was granted, or end it.
    const inVain = async (error: LaunchError): Promise<Finished> => {
      await giveTokensBack({ issuer: launch.issuer, tokens: granted }, deps)
      return failed(error)
    }
    const identity = await identityFrom(granted, launch, issuer, deps)
    if (identity === undefined) return await inVain('token_exchange_failed')
    const context = launchContextOf(granted)
    if (context.patient === undefined) return await inVain('no_patient')
    const launched = { ...granted, ...context, patient: context.patient }
    return await beginSession(launched, identity, issuer, browser.before, deps)
  } catch (error) {
    if (error instanceof Fault && error.kind === 'unavailable') return failed('token_exchange_failed')
    throw error
  }
}

async function launchOf(given: CallbackParameters, secret: string | undefined, deps: ImmunizationDeps) {
  if (given.state === undefined || secret === undefined) return undefined
  const key = { stateHash: digestOf(given.state), browserHash: digestOf(secret) }
  return takeLaunch(key, deps.clock.now(), deps.database)
}

/** Nobody where the server offers no identity; undefined where it offers one that does not hold. */
async function identityFrom(
  { idToken }: Granted,
  { nonce }: Launch,
  issuer: Issuer,
  { settings, clock }: ImmunizationDeps,
): Promise<Partial<Identity> | undefined> {
  if (idToken === undefined) return {}
  return identityOf(idToken, issuer, { clientId: settings.clientId, nonce }, { clock })
}

async function beginSession(
  granted: Granted & LaunchContext & { readonly patient: string },
  identity: Partial<Identity>,
  issuer: Issuer,
  before: OpenSession | undefined,
  deps: ImmunizationDeps,
): Promise<Finished> {
  const { settings, clock, ids, database } = deps
  const { accessToken, refreshToken, patient, needPatientBanner } = granted
  const { subject = null, fhirUser = null } = identity
  const clinicianName = identity.name ?? (await practitionerName(fhirUser, issuer.base, accessToken, deps)) ?? subject
  const tokens: Tokens = { accessToken, refreshToken }
  // A new id for each launch: one that somebody planted in the browser before is worth nothing.
  const secret = ids.secret()
  const now = clock.now()
  const replacedOtherPatient = before !== undefined && (before.patientId !== patient || before.issuer !== issuer.base)
  await database.transaction(async (tx) => {
    if (before !== undefined) await endSession(before.sessionHash, now, tx)
    const session = {
      sessionHash: digestOf(secret),
      ...{ issuer: issuer.base, patientId: patient, subject, fhirUser, clinicianName, needPatientBanner },
      scope: granted.scope ?? '',
      sealedTokens: seal(JSON.stringify(tokens), secret),
      accessExpiresAt: later(now, granted.expiresInSeconds),
      expiresAt: later(now, settings.sessionSeconds),
      replacedOtherPatient,
    }
    await addSession(session, now, tx)
  })
  return { is: 'open', secret, replacedOtherPatient }
}
