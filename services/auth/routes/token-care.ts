import { Type } from 'typebox'
import { Fault, forbidden, incorrect, unauthenticated } from '../../../packages/faults/fault.ts'
import { reply } from '../../../packages/http/answer.ts'
import { formType } from '../../../packages/http/body.ts'
import { nothing } from '../../../packages/http/content.ts'
import { list, object, text } from '../../../packages/http/fields.ts'
import { routeFor } from '../../../packages/http/route.ts'
import { anyone, provenClient, scopes } from '../../../packages/http/who.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { AuthDeps } from '../deps.ts'
import { askerOf, introspect } from '../grants/introspect.ts'
import { revoke } from '../grants/revoke.ts'
import { identityClaims } from '../grants/sign-tokens.ts'
import { currentRevocations } from '../store/revocations.ts'
import { findUserBySubject } from '../store/users.ts'
import { limitRequests } from './limit-requests.ts'
import { oauthErrors } from './oauth-errors.ts'
import { clientFor, clientFormFields, namesItself, withoutEmpty } from './token.ts'

const route = routeFor<AuthDeps>()

const common = { tags: ['Tokens'], errors: oauthErrors, isForPrograms: true } as const
const form = { accepts: [formType], limits: { bodyBytesMax: 65_536 } } as const

const TokenForm = object({
  ...clientFormFields,
  token: text({ max: 16_384, optional: true }),
  token_type_hint: text({ max: 100, optional: true }),
})

export const revokeRoute = route({
  ...common,
  ...form,
  method: 'POST',
  path: '/oauth2/revoke',
  who: anyone,
  summary: 'Revokes a token; a refresh token ends everything that was granted with it',
  input: { body: TokenForm },
  output: { 200: nothing },
  cors: (origin, { origins }) => origins.includes(origin),
  run: ({ body, request }, deps) =>
    // Whoever does not say who they are is counted as whom the token names.
    limitRequests({ ...body, refresh_token: body.token }, request, deps, async () => {
      const { token, ...fields } = withoutEmpty(body)
      if (token === undefined) throw incorrect('token is required.', { code: 'invalid_request' })
      const find = () => clientFor(fields, undefined, request, deps)
      // An id that nobody has and no proof with it is no failed one: then the specification's 400 stands here, too.
      const finding = fields.client_secret === undefined ? find : () => proving(find)
      const client = namesItself(request, fields) ? await finding() : undefined
      await revoke(token, client, request, deps)
      return reply(200, undefined)
    }),
})

/** RFC 7009 and RFC 7662: who fails to prove itself is 401 here. The specification's 400 is that of the token endpoint. */
async function proving<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.kind !== 'incorrect' || thrown.code !== 'invalid_client') throw thrown
    throw unauthenticated(thrown.shown, { code: 'invalid_client', cause: thrown })
  }
}

const Claim = Type.Optional(Type.String())

export const introspectRoute = route({
  ...common,
  ...form,
  method: 'POST',
  path: '/oauth2/introspect',
  who: provenClient,
  summary: 'Whether a token is alive, and what it says',
  input: { body: TokenForm },
  output: {
    200: object({
      active: Type.Boolean(),
      ...{ scope: Claim, client_id: Claim, token_type: Claim, sub: Claim, iss: Claim, jti: Claim },
      ...{ patient: Claim, encounter: Claim, fhirUser: Claim, organisation: Claim },
      ...{ need_patient_banner: Type.Optional(Type.Boolean()), smart_style_url: Claim, tenant: Claim },
      aud: Type.Optional(Type.Union([Type.String(), list(Type.String())])),
      roles: Type.Optional(list(Type.String())),
      exp: Type.Optional(Type.Integer()),
      iat: Type.Optional(Type.Integer()),
    }),
  },
  run: ({ body, request }, deps) =>
    limitRequests(body, request, deps, async () => {
      const { token, ...fields } = withoutEmpty(body)
      const asker = await proving(() => askerOf(request, fields, deps))
      if (token === undefined) throw incorrect('token is required.', { code: 'invalid_request' })
      return introspect(token, asker, deps)
    }),
})

const userinfo = {
  ...common,
  path: '/oauth2/userinfo',
  who: scopes('openid'),
  summary: 'Who the user of a token is',
  output: { 200: object({ sub: Type.String(), fhirUser: Claim, name: Claim, preferred_username: Claim }) },
  cors: (origin: string, { origins }: AuthDeps) => origins.includes(origin),
  run: async ({ caller }: { readonly caller: Caller }, { database, settings }: AuthDeps) => {
    const user = await findUserBySubject(caller.subject, database)
    if (user === undefined) throw forbidden('This token has no user.', { code: 'insufficient_scope' })
    return { sub: user.subject, ...identityClaims(user, caller.scope, settings) }
  },
} as const

export const userinfoRoutes = [
  route({ ...userinfo, method: 'GET' }),
  route({ ...userinfo, method: 'POST', hidden: true }),
]

export const revocationsRoute = route({
  ...common,
  method: 'GET',
  path: '/oauth2/revocations',
  who: anyone,
  summary: 'The ids of revoked grants and tokens that could still be alive; other services ask every few seconds',
  output: { 200: object({ grants: list(Type.String()), tokens: list(Type.String()) }) },
  run: (_input, { database, clock }) => currentRevocations(clock.now(), database),
})
