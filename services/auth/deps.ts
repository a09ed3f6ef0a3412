import type { Clock } from '../../packages/clock/clock.ts'
import type { Ids } from '../../packages/clock/ids.ts'
import type { FailureLimiter } from '../../packages/http/rate-limit.ts'
import type { StaticAssets } from '../../packages/http/static-assets.ts'
import type { KeyStore } from '../../packages/keys/key-store.ts'
import type { Sealer } from '../../packages/keys/sealer.ts'
import type { Log } from '../../packages/log/log.ts'
import type { Database } from '../../packages/sql/database.ts'
import type { Outbox } from '../../packages/sql/tasks/outbox.ts'
import type { Signer } from '../../packages/tokens/signer.ts'
import type { TellRevoked } from '../../packages/tokens/revocation-list.ts'
import type { TokenVerifier } from '../../packages/tokens/verifier.ts'
import type { FhirStore } from '../../ports/fhir-store/fhir-store.ts'
import type { AuditTrail } from './audit/audit.ts'
import type { ReadIdToken } from './authorize/id-token-hint.ts'
import type { FacilityBrands } from './discovery/facility-brands.ts'
import type { AssertionUses } from './grants/assertion-uses.ts'
import type { ClientKeys } from './grants/client-keys.ts'
import type { CodeExchanges } from './grants/code-exchanges.ts'
import type { ReadRefreshToken } from './grants/refresh-jwt.ts'
import type { RefreshSwaps } from './grants/refresh-swaps.ts'
import type { ServiceScopes } from './grants/service-scopes.ts'
import type { KnownClients } from './registration/known-clients.ts'
import type { RegisteredOrigins } from './registration/registered-origins.ts'
import type { IsServable } from './servable-scopes.ts'
import type { PasswordHasher } from './secrets/password.ts'
import type { AuthSettings } from './settings.ts'
import type { UserInToken } from './store/grant-and-user.ts'

/** What the routes of the authorization server work with. Functions name the part of it that they need. */
export interface AuthDeps {
  readonly settings: AuthSettings
  readonly database: Database
  readonly outbox: Outbox
  readonly auditTrail: AuditTrail
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly signingKeys: KeyStore
  readonly signer: Signer
  /** Knows of a revocation at once, unlike the verifiers of other services. */
  readonly accessTokens: TokenVerifier
  /** The other services of this process. */
  readonly tellRevoked: TellRevoked | undefined
  readonly readRefreshToken: ReadRefreshToken
  readonly readIdToken: ReadIdToken
  readonly passwords: PasswordHasher
  readonly sealer: Sealer
  readonly clientKeys: ClientKeys
  readonly assertionUses: AssertionUses
  readonly knownClients: KnownClients
  readonly codeExchanges: CodeExchanges
  readonly refreshSwaps: RefreshSwaps
  readonly serviceScopes: ServiceScopes
  readonly isServable: IsServable
  readonly origins: RegisteredOrigins
  /** The FHIR store as this user may see it, for themselves or for a patient that is theirs to speak for. */
  readonly fhirFor: (user: UserInToken, patient: string | null) => FhirStore
  /** The same for what concerns no user: the facilities. */
  readonly platformFhir: FhirStore
  readonly brands: FacilityBrands
  readonly limits: Limits
  readonly assetUrl: (name: string) => string
  readonly portalAssets: StaticAssets
  /** Where the pages of the other services are, by their names. */
  readonly workspace: Readonly<Record<string, string>>
}

/** Each counts failures only, in the database, so that all copies count together. */
export interface Limits {
  /** By account: from the fifth failure on each one makes the next wait longer. */
  readonly account: FailureLimiter
  /** By address, for logins. */
  readonly address: FailureLimiter
  /** By client and address, for the token and revocation endpoints: of those who do not prove who they are. */
  readonly client: FailureLimiter
  /** The same of whatever else fails there. */
  readonly request: FailureLimiter
  /** By address, for launches that are none. */
  readonly launch: FailureLimiter
}
