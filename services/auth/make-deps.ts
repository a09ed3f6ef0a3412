import { assert } from '../../packages/faults/fault.ts'
import { loadDefinitions } from '../../packages/fhir/definitions.ts'
import { Sealer } from '../../packages/keys/sealer.ts'
import type { Kit, PagesKit } from '../../packages/service/service.ts'
import { Outbox } from '../../packages/sql/tasks/outbox.ts'
import { localKeySet } from '../../packages/tokens/key-set.ts'
import { makeSigner } from '../../packages/tokens/signer.ts'
import { makeTokenVerifier } from '../../packages/tokens/verifier.ts'
import { httpFhirStore } from '../../ports/fhir-store/http-fhir-store.ts'
import { AuditTrail } from './audit/audit.ts'
import { idTokenReader } from './authorize/id-token-hint.ts'
import type { AuthDeps } from './deps.ts'
import { facilityBrands } from './discovery/facility-brands.ts'
import { failureLimits } from './limits/failure-limits.ts'
import { assertionUses } from './grants/assertion-uses.ts'
import { ClientKeys } from './grants/client-keys.ts'
import { codeExchanges } from './grants/code-exchanges.ts'
import { keySetFetcher } from './grants/fetch-key-set.ts'
import { refreshTokenReader } from './grants/refresh-jwt.ts'
import { refreshSwaps } from './grants/refresh-swaps.ts'
import { ServiceScopes } from './grants/service-scopes.ts'
import { whileSigning } from './grants/while-signing.ts'
import { OwnTokens } from './portal/own-tokens.ts'
import { KnownClients } from './registration/known-clients.ts'
import { RegisteredOrigins } from './registration/registered-origins.ts'
import { workspaceAddresses } from './registration/workspace-client.ts'
import { revocationCheck } from './revocation/revocation-check.ts'
import type { AuthSection } from './section.ts'
import { PasswordHasher, type PasswordCost } from './secrets/password.ts'
import { servableScopes } from './servable-scopes.ts'
import { isRegisteredOrigin } from './store/clients.ts'
import { portalAssets } from './views/portal-assets.ts'
import { settingsOf } from './settings.ts'

/** What tests make cheaper: they sign in hundreds of times. */
export interface MakeOptions {
  readonly passwordCost?: PasswordCost
  readonly demoPasswordHash?: string
}

/** Its pages are where people sign in, so they are given no other sign-in. */
export interface AuthKit extends Kit {
  readonly pages: Pick<PagesKit, 'assetUrl'>
}

/** Puts together what the routes work with. */
export async function makeDeps(section: AuthSection, kit: AuthKit, options: MakeOptions = {}): Promise<AuthDeps> {
  const { signingKeys, addresses, mode, database, clock, ids, log, outbound } = kit
  const fhirBase = addresses['fhir']
  assert(signingKeys !== undefined, 'the authorization server was started without its keys')
  assert(fhirBase !== undefined, 'the address of the FHIR store is known')
  const settings = settingsOf(section, { fhirBase, mode })
  const isServable = servableScopes(await loadDefinitions())
  const signer = makeSigner(() => signingKeys.current())
  const ownTokens = new OwnTokens({ settings, signingKeys, signer, clock, ids })
  const outbox = new Outbox({ database, clock, ids, log, random: kit.random })
  const gather = whileSigning({ signer })
  const auditTrail = new AuditTrail({ database, outbox, toFhir: section.auditToFhir, gather })
  const platformFhir = httpFhirStore({ base: fhirBase, outbound, token: () => ownTokens.forPlatform() })
  const auditing = { settings, database, clock, ids, auditTrail }
  return {
    ...{ ...auditing, log, signingKeys, signer, outbox },
    knownClients: new KnownClients({ database, clock }),
    codeExchanges: codeExchanges({ ...auditing, signer }),
    refreshSwaps: refreshSwaps({ ...auditing, signer }),
    ...{ isServable, serviceScopes: new ServiceScopes(isServable) },
    accessTokens: makeTokenVerifier({
      issuer: settings.issuer,
      audiences: [fhirBase],
      keySet: localKeySet(() => signingKeys.publicKeys()),
      clock,
      isRevoked: revocationCheck(database),
    }),
    tellRevoked: kit.tellRevoked,
    readRefreshToken: refreshTokenReader(signingKeys, settings.issuer),
    readIdToken: idTokenReader(signingKeys, settings.issuer),
    passwords: new PasswordHasher(options.passwordCost),
    sealer: new Sealer(section.keyDirectory),
    clientKeys: new ClientKeys({
      clock,
      fetchKeySet: keySetFetcher({ clock, log, allowsLoopback: section.loopbackKeySets }),
    }),
    assertionUses: assertionUses(database),
    origins: new RegisteredOrigins({ clock, ask: (origin) => isRegisteredOrigin(origin, database) }),
    fhirFor: (user, patient) =>
      httpFhirStore({ base: fhirBase, outbound, token: () => ownTokens.forUser(user, patient) }),
    platformFhir,
    brands: facilityBrands({ settings, clock, platformFhir }),
    limits: failureLimits({ database, clock }),
    assetUrl: kit.pages.assetUrl,
    portalAssets: portalAssets(),
    workspace: workspaceAddresses(addresses),
  }
}
