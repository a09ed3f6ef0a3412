import { unreachable } from '../../../packages/faults/fault.ts'
import { redirect } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { nothing } from '../../../packages/http/content.ts'
import { object, text } from '../../../packages/http/fields.ts'
import { routeFor } from '../../../packages/http/route.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { authorize, type Next } from '../authorize/authorize.ts'
import { promptsOf } from '../authorize/check-prompt.ts'
import { authorizeParameters, givenParameters } from '../authorize/parameters.ts'
import { takeUp, waitFor } from '../authorize/waiting.ts'
import type { AuthDeps } from '../deps.ts'
import { visitor, type Visitor } from '../login/visitor.ts'
import { digestOf } from '../secrets/digest.ts'
import { endRequest, peekRequest } from '../store/authorization-requests.ts'
import { oauthErrors } from './oauth-errors.ts'

const route = routeFor<AuthDeps>()

const common = {
  who: visitor,
  tags: ['SMART'],
  errors: oauthErrors,
  // The page of an app may send the user here by a link or by a form; what it asks is checked, not where it came from.
  sameOrigin: false,
  // A GET makes a code, uses up a launch or takes up what waits.
  takesHead: false,
  keepsOpener: true,
} as const

export const authorizeByLink = route({
  ...common,
  method: 'GET',
  path: '/oauth2/authorize',
  summary: 'Starts the authorization code flow; the user signs in if need be',
  input: { query: authorizeParameters },
  output: { 302: nothing },
  run: async ({ query, caller, request }, deps) => redirect(302, await begin(query, caller, request, deps)),
})

export const authorizeByForm = route({
  ...common,
  method: 'POST',
  path: '/oauth2/authorize',
  summary: 'The same by a form, for requests that are too long for an address',
  accepts: [formType],
  input: { body: object(authorizeParameters) },
  limits: { bodyBytesMax: 65_536 },
  output: { 303: nothing },
  // The answer to a form must be 303: with 307 the browser would send the form on (RFC 9700 section 4.12).
  run: async ({ body, caller, request }, deps) => redirect(303, await begin(body, caller, request, deps)),
})

export const resumeAuthorize = route({
  ...common,
  method: 'GET',
  path: '/oauth2/authorize/resume',
  summary: 'Goes on with a request that waited for the user',
  hidden: true,
  input: { query: { request: text({ max: 100 }) } },
  output: { 302: nothing },
  run: async ({ query, caller, request }, deps) => {
    if (caller === undefined) return redirect(302, await withoutLogin(query.request, request, deps))
    const waiting = await takeUp(query.request, caller, deps)
    const next = await authorize(waiting.saved.parameters, caller, waiting, request, deps)
    return redirect(302, addressOf(next, query.request))
  },
})

async function begin(
  given: Readonly<Partial<Record<string, string>>>,
  caller: Visitor | undefined,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<string> {
  const parameters = givenParameters(given)
  // A form of another site comes without our cookie (SameSite=Lax); the redirect back to us brings it along. That nobody
  // is signed in, which an app that asks with prompt=none wants to hear, is known only then.
  const mayBeSignedIn = request.method === 'POST' && caller === undefined
  const { prompt: _forThen, ...forNow } = parameters
  const next = await authorize(mayBeSignedIn ? forNow : parameters, caller, undefined, request, deps)
  if (next.is === 'answer') return next.to
  const id = await waitFor(parameters, request.peer, deps)
  return mayBeSignedIn ? `/oauth2/authorize/resume?request=${id}` : addressOf(next, id)
}

/** Nobody was signed in: an app that wanted no page is told so, and the request is over; everybody else signs in. */
async function withoutLogin(id: string, request: IncomingRequest, deps: AuthDeps): Promise<string> {
  const requestHash = digestOf(id)
  const { parameters = {} } = (await peekRequest(requestHash, deps.clock.now(), deps.database)) ?? {}
  if (!promptsOf(parameters).includes('none')) return loginAddress(id)
  const next = await authorize(parameters, undefined, undefined, request, deps)
  await endRequest(requestHash, deps.database)
  return addressOf(next, id)
}

/** Where the browser goes with that. */
export function addressOf(next: Next, id: string): string {
  switch (next.is) {
    case 'answer':
      return next.to
    case 'login':
      return loginAddress(id)
    case 'pick':
      return `/oauth2/authorize/patient?request=${id}`
    case 'consent':
      return `/oauth2/authorize/consent?request=${id}`
    default:
      return unreachable(next)
  }
}

const loginAddress = (id: string) => `/login?request=${encodeURIComponent(id)}`
