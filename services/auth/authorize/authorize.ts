import type { IncomingRequest } from '../../../packages/http/request.ts'
import { audit, whence } from '../audit/audit.ts'
import type { AuthDeps } from '../deps.ts'
import type { Visitor } from '../login/visitor.ts'
import type { Parameters, SavedRequest } from '../store/authorization-requests.ts'
import { refusal, type Asked, type Refusal } from './asked.ts'
import { checkAudience } from './check-audience.ts'
import { checkClient } from './check-client.ts'
import { checkCodeChallenge } from './check-code-challenge.ts'
import { checkLengths } from './check-lengths.ts'
import { checkPrompt, promptsOf } from './check-prompt.ts'
import { checkRedirectUri } from './check-redirect-uri.ts'
import { checkRequestObject } from './check-request-object.ts'
import { checkRequired } from './check-required.ts'
import { checkResponseType } from './check-response-type.ts'
import { choicesMax, choicesOf, consentedScope, type Choice } from './consent.ts'
import { findAskedLaunch } from './find-launch.ts'
import { checkIdTokenHint, isMeant } from './id-token-hint.ts'
import { issueCode } from './issue-code.ts'
import { negotiateScope, whyNothing } from './negotiate-scope.ts'
import { patientContext } from './patient-context.ts'
import { isSignedIn } from './sign-in.ts'

/** In this order. Each throws what is shown to the user, or returns what the app is told. */
const checks: readonly ((asked: Asked, deps: AuthDeps) => Refusal | undefined)[] = [
  checkRequired,
  checkLengths,
  checkCodeChallenge,
  checkAudience,
  checkResponseType,
  checkRequestObject,
  checkPrompt,
  checkIdTokenHint,
]

/** What happens next with a request. */
export type Next =
  /** Back to the app, with a code or with the reason why not. */
  | { readonly is: 'answer'; readonly to: string }
  | { readonly is: 'login' }
  | { readonly is: 'pick'; readonly asked: Asked }
  | {
      readonly is: 'consent'
      readonly asked: Asked
      readonly choices: readonly Choice[]
      readonly patient: string | null
    }

export interface Waiting {
  readonly requestHash: string
  readonly saved: SavedRequest
}

/** One turn of an authorization request; it comes round again after each thing that the user has to do. */
export async function authorize(
  parameters: Parameters,
  visitor: Visitor | undefined,
  waiting: Waiting | undefined,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<Next> {
  const client = await checkClient(parameters, deps)
  const asked: Asked = { parameters, client, redirectUri: checkRedirectUri(parameters, client) }
  for (const check of checks) {
    const refused = check(asked, deps)
    if (refused !== undefined) return refuse(asked, refused, deps)
  }
  const no = (error: Refusal['error'], why: string): Next => refuse(asked, refusal(error, why), deps)
  // With prompt=none the app is told what the user would have to do.
  const isSilent = promptsOf(parameters).includes('none')
  const ask = (next: Next, error: Refusal['error'], why: string): Next => (isSilent ? no(error, why) : next)
  const saved = waiting?.saved
  const launch = await findAskedLaunch(asked, visitor?.user, request, deps)

  if (!isSignedIn(asked, visitor, saved, deps.clock.now())) {
    return ask({ is: 'login' }, 'login_required', 'The user is not signed in.')
  }
  if (!isMeant(asked, visitor.user, deps)) {
    const why = 'The user that id_token_hint names is not signed in.'
    // Whoever signed in for this very request would only be led in a circle by a login page.
    return saved?.isSignedInFor === true ? no('login_required', why) : ask({ is: 'login' }, 'login_required', why)
  }
  const context = await patientContext(asked, visitor.user, launch, saved, request, deps)
  if (context === 'pick') return ask({ is: 'pick', asked }, 'interaction_required', 'A patient must be picked.')
  const circumstances = {
    hasPatient: context.patient !== null,
    hasEncounter: context.encounter !== null,
    isLaunched: launch !== undefined,
  }
  const negotiated = negotiateScope(parameters['scope'] ?? '', client, visitor.user, circumstances, deps.isServable)
  if (negotiated.length === 0) {
    return no('invalid_scope', whyNothing(parameters['scope'] ?? '', client, visitor.user, deps.isServable))
  }
  const scope = consentedScope(asked, negotiated, context.patient, saved)
  if (scope === 'ask') {
    if (negotiated.length > choicesMax) {
      return no('invalid_scope', `The user would be asked about more than ${choicesMax} scopes. Ask for fewer.`)
    }
    const consent = { is: 'consent', asked, choices: choicesOf(negotiated), patient: context.patient } as const
    return ask(consent, 'consent_required', 'The user must agree.')
  }
  if (scope.length === 0) {
    const about = { clientId: client.clientId, subject: visitor.user.subject, ...whence(request) }
    await audit({ event: 'consent refused', outcome: 'failure', ...about }, deps)
    return no('access_denied', 'The user did not agree.')
  }
  const code = await issueCode({ asked, visitor, scope, context, requestHash: waiting?.requestHash }, request, deps)
  return { is: 'answer', to: returnAddress(asked, { code }, deps) }
}

export function refuse(asked: Asked, { error, description }: Refusal, deps: Pick<AuthDeps, 'settings'>): Next {
  return { is: 'answer', to: returnAddress(asked, { error, error_description: description }, deps) }
}

/** The registered address with the answer in its query; `state` goes back as it came, `iss` after RFC 9207. */
function returnAddress(
  asked: Asked,
  answer: Readonly<Record<string, string>>,
  { settings }: Pick<AuthDeps, 'settings'>,
) {
  const query = new URLSearchParams(answer)
  const state = asked.parameters['state']
  if (state !== undefined) query.append('state', state)
  if (settings.authorizationResponseIss) query.append('iss', settings.issuer)
  return `${asked.redirectUri}${asked.redirectUri.includes('?') ? '&' : '?'}${query}`
}
