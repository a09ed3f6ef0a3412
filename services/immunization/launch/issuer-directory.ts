import type { Clock } from '../../../packages/clock/clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import type { Outbound } from '../../../packages/http/outbound/outbound.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { KeySet } from '../../../packages/tokens/key-set.ts'
import { remoteKeySet } from '../../../packages/tokens/remote-key-set.ts'
import { withoutSlash } from '../settings.ts'

/** A FHIR server that launches the app, with what its discovery document says. */
export interface Issuer {
  readonly base: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** Undefined where tokens cannot be given back. */
  readonly revocationEndpoint: string | undefined
  /** Whether it gives access that ends with the login of whoever gave it. */
  readonly hasOnlineAccess: boolean
  /** Who signs identity tokens; undefined where the server does not offer them. */
  readonly identity: { readonly issuer: string; readonly keySet: KeySet } | undefined
}

interface IssuerDirectoryDeps {
  readonly outbound: Pick<Outbound, 'getJson' | 'allows'>
  readonly clock: Clock
  readonly log: Log
}

interface Known {
  readonly issuer: Promise<Issuer>
  readonly untilMs: number
}

const freshMs = 600_000

/** The servers that may launch the app: only these are ever called, whatever a request names. */
export class IssuerDirectory {
  readonly #allowed: ReadonlySet<string>
  readonly #deps: IssuerDirectoryDeps
  readonly #known = new Map<string, Known>()

  constructor(allowed: readonly string[], deps: IssuerDirectoryDeps) {
    this.#allowed = new Set(allowed)
    this.#deps = deps
  }

  allows(base: string): boolean {
    return this.#allowed.has(withoutSlash(base))
  }

  /** Discovery is asked once in ten minutes, also when many launch at the same moment; a failure is not remembered. */
  find(base: string): Promise<Issuer> {
    const key = withoutSlash(base)
    const nowMs = this.#deps.clock.monotonicMs()
    const known = this.#known.get(key)
    if (known !== undefined && nowMs < known.untilMs) return known.issuer
    const issuer = discover(key, this.#deps)
    this.#known.set(key, { issuer, untilMs: nowMs + freshMs })
    issuer.catch(() => this.#known.delete(key))
    return issuer
  }
}

async function discover(base: string, { outbound, clock, log }: IssuerDirectoryDeps): Promise<Issuer> {
  const document = await outbound.getJson(`${base}/.well-known/smart-configuration`)
  const address = (name: string) => {
    const value = memberOf(document, name)
    return typeof value === 'string' && outbound.allows(value) ? value : undefined
  }
  // The browser goes there, not we: it may be any address that the trusted document names.
  const authorizationEndpoint = memberOf(document, 'authorization_endpoint')
  const tokenEndpoint = address('token_endpoint')
  if (typeof authorizationEndpoint !== 'string' || tokenEndpoint === undefined) throw unusable()
  const issuer = memberOf(document, 'issuer')
  const jwksUri = address('jwks_uri')
  const scopes = memberOf(document, 'scopes_supported')
  return {
    ...{ base, authorizationEndpoint, tokenEndpoint },
    revocationEndpoint: address('revocation_endpoint'),
    hasOnlineAccess: Array.isArray(scopes) && scopes.includes('online_access'),
    identity:
      typeof issuer === 'string' && jwksUri !== undefined
        ? { issuer, keySet: remoteKeySet({ url: jwksUri, fetchJson: (url) => outbound.getJson(url), clock, log }) }
        : undefined,
  }
}

function memberOf(document: unknown, name: string): unknown {
  return typeof document === 'object' && document !== null ? Reflect.get(document, name) : undefined
}

const unusable = () =>
  unavailable('The FHIR server names no authorization server that this app may call.', { code: 'fhir_unavailable' })
