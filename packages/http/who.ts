import { forbidden } from '../faults/fault.ts'
import type { Caller, Role } from '../tokens/caller.ts'
import type { Reply } from './answer.ts'
import type { IncomingRequest } from './request.ts'

/**
 * Who may call a route. Every route names one; there is no default. `Known` is what the route's `run` gets as `caller`.
 */
export interface Who<Known = unknown> {
  readonly kind: 'anyone' | 'either' | 'perhaps' | 'signedIn' | 'roles' | 'scopes' | 'allowed' | 'guard' | 'loopback'
  /** In words, for OpenAPI, the docs page and messages: `roles CLINICIAN or ADMIN`. */
  readonly printed: string
  readonly roles: readonly Role[]
  readonly scopes: readonly string[]
  /** What is enough for whoever has one of the roles, where others need one of the scopes. */
  readonly scopeWithRole?: string
  /** Decides for a verified caller; undefined where no token is needed. */
  readonly permits?: (caller: Caller, matches: ScopeMatches) => boolean
  /** A token is taken by its signature while nobody can say whether it was revoked, because the database is away. */
  readonly believesSignature?: boolean
  /** The route itself asks for the proof of a client, or for a token. */
  readonly provesClient?: boolean
  /** Finds the caller by other means than a bearer token (a session cookie, say) before the body is read. */
  readonly find?: Guard<Known>
  /** Refuses whom `find` found and the route is not for. A step of its own: by then it is known who was refused. */
  readonly check?: (known: never) => void
  /** Refuses what whoever `find` found does not mean to send. By now the body is there, and nothing of it is looked at yet. */
  readonly checkSent?: (known: never, request: IncomingRequest) => void
}

/**
 * Its second parameter is the route's deps; declare it as what the service has. A reply is sent in place of the route's
 * own answer: a browser without a session is led to where one signs in.
 */
export type Guard<Known> = (request: IncomingRequest, deps: never) => Known | Reply | Promise<Known | Reply>

/** Whom of all that a guard finds a route is for. */
interface Only<Known> {
  readonly roles: readonly [Role, ...Role[]]
  readonly rolesOf: (known: Known) => Iterable<Role>
  /** What everybody else is told. */
  readonly says: string
}

/** Whether the scopes that a token holds contain the wanted one. The grammar lives in packages/smart. */
export type ScopeMatches = (granted: string, wanted: string) => boolean

const plain = { roles: [], scopes: [] } as const

/** No token is asked for, and one that is sent is not looked at. */
export const anyone: Who<undefined> = { kind: 'anyone', printed: 'anyone', ...plain }

/** A client of OAuth that proves itself, or a token. The route looks itself, because a refusal must be OAuth's. */
export const provenClient: Who<undefined> = { ...anyone, printed: 'a client that proves itself', provesClient: true }

/** Open to all; a token that is sent must be good, and `caller` is then its owner. */
export const anyoneKnownIfSignedIn: Who<Caller | undefined> = {
  kind: 'either',
  printed: 'anyone, more for some callers',
  ...plain,
}

/** The same, but a token that is not good, or not known to be, is as good as none: what is public stays so for its owner. */
export const anyoneKnownIfPossible: Who<Caller | undefined> = { ...anyoneKnownIfSignedIn, kind: 'perhaps' }

/** The same for what is wanted most while the database is away, and tells of nobody: a good signature is enough then. */
export const anyoneKnownBySignature: Who<Caller | undefined> = { ...anyoneKnownIfSignedIn, believesSignature: true }

/** Any good token. */
export const signedIn: Who<Caller> = {
  kind: 'signedIn',
  printed: 'any signed-in caller',
  ...plain,
  permits: () => true,
}

/** A token with at least one of these roles. */
export function roles(...names: readonly [Role, ...Role[]]): Who<Caller> {
  return {
    kind: 'roles',
    printed: `roles ${names.join(' or ')}`,
    roles: names,
    scopes: [],
    permits: (caller) => names.some((name) => caller.roles.has(name)),
  }
}

/**
 * A token of somebody with the role that also holds one of these scopes: whoever has the role gives tokens to apps as well,
 * and an app has no more than its scopes say. For services whose audience the tokens of all apps name.
 */
export function roleWithScope(role: Role, ...wanted: readonly [string, ...string[]]): Who<Caller> {
  const byRole = roles(role)
  const byScope = scopes(...wanted)
  return {
    ...byRole,
    printed: `role ${role} with the scope ${wanted.join(' or ')}`,
    scopes: wanted,
    permits: (caller, matches) =>
      byRole.permits?.(caller, matches) === true && byScope.permits?.(caller, matches) === true,
  }
}

/** A token with at least one of these scopes. */
export function scopes(...names: readonly [string, ...string[]]): Who<Caller> {
  return {
    kind: 'scopes',
    printed: `scopes ${names.join(' or ')}`,
    roles: [],
    scopes: names,
    permits: (caller, matches) => names.some((name) => matches(caller.scope, name)),
  }
}

/**
 * A token with at least one of these scopes, or one of somebody with a role, with a scope of its own: whoever has the role
 * gives tokens to apps as well, and an app has no more than its scopes say.
 */
export function scopesOrRole(
  wanted: readonly [string, ...string[]],
  { role, scope }: { readonly role: Role; readonly scope: string },
): Who<Caller> {
  const byScope = scopes(...wanted)
  return {
    ...byScope,
    printed: `${byScope.printed}, or role ${role} with the scope ${scope}`,
    roles: [role],
    scopeWithRole: scope,
    permits: (caller, matches) =>
      byScope.permits?.(caller, matches) === true || (caller.roles.has(role) && matches(caller.scope, scope)),
  }
}

/** A token whose owner passes a check of the service's own. */
export function allowed(name: string, check: (caller: Caller) => boolean): Who<Caller> {
  return { kind: 'allowed', printed: name, ...plain, permits: check }
}

/**
 * The caller is found by the service itself, by a session cookie for instance. Throws a fault to refuse; what it
 * returns is the route's `caller`. It runs before the body is read.
 */
export function guard<Known>(name: string, find: Guard<Known>, only?: Only<Known>): Who<Known> {
  if (only === undefined) return { kind: 'guard', printed: name, ...plain, find }
  const { roles: open, rolesOf, says } = only
  return {
    kind: 'guard',
    printed: `${name} with the role ${open.join(' or ')}`,
    roles: open,
    scopes: [],
    find,
    check: (known: Known) => {
      const held = new Set(rolesOf(known))
      if (!open.some((role) => held.has(role))) throw forbidden(says)
    },
  }
}

/** Programs on the same machine; others are told that nothing is there. */
export const loopback: Who<undefined> = { kind: 'loopback', printed: 'programs on this machine', ...plain }

/** The plain comparison, for services without SMART scopes: the wanted scope is one of the granted words. */
export const sameScope: ScopeMatches = (granted, wanted) => granted.split(' ').includes(wanted)
