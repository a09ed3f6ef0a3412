import { Fault, forbidden, incorrect, missing, unauthenticated, unavailable, unreachable } from '../faults/fault.ts'
import { readBearer } from '../tokens/bearer.ts'
import type { Caller } from '../tokens/caller.ts'
import type { TokenVerifier, VerifyOptions } from '../tokens/verifier.ts'
import { isReply, type Reply } from './answer.ts'
import { queryOf, type IncomingRequest } from './request.ts'
import type { ScopeMatches, Who } from './who.ts'

export interface AuthoriseDeps {
  readonly verifier: TokenVerifier | undefined
  readonly scopeMatches: ScopeMatches
}

interface Asked {
  readonly request: IncomingRequest
  /** Every header of that name: two are a mistake of the caller. */
  readonly authorization: readonly string[]
  /** Told who called, also where the route is closed to them. */
  readonly found?: (caller: unknown) => void
}

/**
 * Finds the caller and decides whether the route is open to them. Runs before a byte of the body is read. A reply is
 * what a guard answers in the route's place.
 */
export async function authorise(
  who: Who,
  { request, authorization, found = () => {} }: Asked,
  routeDeps: unknown,
  deps: AuthoriseDeps,
): Promise<Reply | undefined> {
  switch (who.kind) {
    case 'anyone':
      return undefined
    case 'loopback':
      if (!request.isLoopback) throw missing('There is nothing at this address.')
      return undefined
    case 'guard': {
      // Sound: a guard declares the deps of the route's own service, and these are they.
      const known = await who.find?.(request, routeDeps as never)
      if (isReply(known)) return known
      found(known)
      // Sound: it checks what its own guard has found.
      who.check?.(known as never)
      return undefined
    }
    case 'either':
      if (authorization.length > 0) found(await callerOf(request, authorization, deps, who))
      return undefined
    case 'perhaps':
      if (authorization.length > 0) found(await callerIfGood(request, authorization, deps))
      return undefined
    case 'signedIn':
    case 'roles':
    case 'scopes':
    case 'allowed': {
      const caller = await callerOf(request, authorization, deps)
      found(caller)
      if (who.permits?.(caller, deps.scopeMatches) !== true) throw refusal(who, caller)
      return undefined
    }
    default:
      return unreachable(who.kind)
  }
}

async function callerIfGood(...asked: Parameters<typeof callerOf>): Promise<Caller | undefined> {
  try {
    return await callerOf(...asked)
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.kind !== 'bug') return undefined
    throw thrown
  }
}

async function callerOf(
  request: IncomingRequest,
  authorization: readonly string[],
  { verifier }: AuthoriseDeps,
  { believesSignature = false }: VerifyOptions = {},
): Promise<Caller> {
  if (verifier === undefined) throw unavailable('This service cannot check access tokens.', { logged: 'no verifier' })
  const bearer = readBearer(authorization, queryOf(request.url))
  // No error word here: RFC 6750 section 3.1 wants none where the caller sent no token, or in a way that is not taken.
  if (bearer.is === 'none') throw unauthenticated(bearer.why)
  if (bearer.is === 'malformed') throw unauthenticated(bearer.why, { code: 'invalid_token' })
  if (bearer.is === 'doubled') throw incorrect(bearer.why, { code: 'invalid_request' })
  return verifier.verify(bearer.token, { believesSignature })
}

function refusal(who: Who, caller: Caller): Fault {
  const { scopeWithRole } = who
  const orRole = scopeWithRole === undefined ? '' : `, or ${scopeWithRole} and its owner the role ${who.roles.join()}`
  const lacksScopeAlone = who.scopes.length > 0 && who.roles.some((role) => caller.roles.has(role))
  return who.kind === 'scopes' || lacksScopeAlone
    ? forbidden(`The access token lacks the scope ${who.scopes.join(' or ')}${orRole}.`, { code: 'insufficient_scope' })
    : forbidden('You are not allowed to do this.')
}
