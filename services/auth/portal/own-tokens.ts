import { LRUCache } from 'lru-cache'
import type { KeyStore } from '../../../packages/keys/key-store.ts'
import type { TokenDeps } from '../grants/sign-tokens.ts'
import type { UserInToken } from '../store/grant-and-user.ts'

/** The name under which the portal itself calls the FHIR store. No client can be registered with a colon in its id. */
const portalClient = 'portal:corridor'
const lifetimeSeconds = 120
const renewedMs = 60_000

interface OwnTokensDeps extends Pick<TokenDeps, 'signer' | 'clock' | 'ids'> {
  readonly settings: Pick<TokenDeps['settings'], 'issuer' | 'fhirBase'>
  /** What the signer signs with. */
  readonly signingKeys: Pick<KeyStore, 'current'>
}

interface Kept {
  readonly token: Promise<string>
  readonly madeAtMs: number
}

/** Short-lived tokens that this server signs for its own calls: in the name of a user, with that user's rights. */
export class OwnTokens {
  readonly #kept = new LRUCache<string, Kept>({ max: 1_000 })
  readonly #deps: OwnTokensDeps

  constructor(deps: OwnTokensDeps) {
    this.#deps = deps
  }

  forUser({ subject, roles, fhirUser, organisation }: UserInToken, patient: string | null): Promise<string> {
    const scope = 'fhirUser user/Patient.rs user/Encounter.rs user/Organization.rs'
    const who = { sub: subject, roles, fhirUser, ...(organisation === null ? {} : { organisation }) }
    if (patient === null) return this.#keep({ ...who, scope })
    return this.#keep({ ...who, patient, scope: `${scope} patient/Patient.rs` })
  }

  forPlatform(): Promise<string> {
    const scope = 'system/Organization.rs system/AuditEvent.crs'
    return this.#keep({ sub: 'client:auth', roles: ['SYSTEM'], scope })
  }

  #keep(claims: Readonly<Record<string, unknown>>): Promise<string> {
    const { clock, settings, signingKeys, signer, ids } = this.#deps
    const nowMs = clock.now().getTime()
    // By all that it says: an account that is given to another person, or other roles, has another token at once. And by who
    // signs it: a key that was stolen is withdrawn, and its tokens with it.
    const key = JSON.stringify([signingKeys.current().kid, claims])
    const kept = this.#kept.get(key)
    // By the wall clock, as the token itself is judged: when that is set, either way, the token is worthless.
    if (kept !== undefined && Math.abs(nowMs - kept.madeAtMs) < renewedMs) return kept.token
    const issuedAt = Math.floor(nowMs / 1_000)
    const common = { iss: settings.issuer, aud: [settings.fhirBase], client_id: portalClient, jti: ids.uuid() }
    const times = { iat: issuedAt, exp: issuedAt + lifetimeSeconds }
    const token = signer.sign({ typ: 'at+jwt', claims: { ...common, ...times, ...claims } })
    this.#kept.set(key, { token, madeAtMs: nowMs })
    return token
  }
}
