import type { Clock } from '../../../packages/clock/clock.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { KeyStore } from '../../../packages/keys/key-store.ts'
import { localKeySet, type KeySet } from '../../../packages/tokens/key-set.ts'
import { remoteKeySet, type FetchJson } from '../../../packages/tokens/remote-key-set.ts'
import { revocationList, type TellRevoked } from '../../../packages/tokens/revocation-list.ts'
import { makeTokenVerifier, type IsRevoked, type TokenVerifier } from '../../../packages/tokens/verifier.ts'
import { revocationCheck } from '../../../services/auth/revocation/revocation-check.ts'
import { currentRevocations } from '../../../services/auth/store/revocations.ts'
import type { Database } from '../../../packages/sql/database.ts'
import type { Configuration } from '../configuration.ts'
import type { ServiceName } from '../service-names.ts'

interface TokenDeps {
  readonly clock: Clock
  readonly log: Log
  readonly fetchJson: FetchJson
  /** The keys themselves, where the authorization server runs in this process. */
  readonly signingKeys: KeyStore | undefined
  readonly database: Database
}

interface TokenChecks {
  readonly verifier: TokenVerifier
  /** For what lasts longer than the check at its beginning. */
  readonly isRevoked: IsRevoked
  /** For the authorization server: what it revokes counts in this process at once. */
  readonly tellRevoked: TellRevoked
}

/** How each service checks the tokens it is shown. */
export function tokenChecks(configuration: Configuration, deps: TokenDeps): (name: ServiceName) => TokenChecks {
  const keySet = keysOf(configuration, deps)
  const { isRevoked: onTheList, tellRevoked } = revocationList({
    ...deps,
    load: () => revocationsOf(configuration, deps),
  })
  // Whoever revokes knows at once and tells its neighbours in this process; the others hear of it within seconds.
  const inTheTable = revocationCheck(deps.database)
  return (name) => {
    const isRevoked = name === 'auth' && deps.signingKeys !== undefined ? inTheTable : onTheList
    const verifier = makeTokenVerifier({
      issuer: configuration.auth.url,
      audiences: [audienceOf(name, configuration)],
      keySet,
      clock: deps.clock,
      isRevoked,
    })
    return { verifier, isRevoked, tellRevoked }
  }
}

// Every token names the FHIR base, which also lets any app ask who its user is (userinfo). The platform's own APIs open
// only to first-party clients, whose tokens also name the platform; otherwise any SMART app would inherit its
// clinician's rights at the consent API.
function audienceOf(name: ServiceName, configuration: Configuration): string {
  return name === 'fhir' || name === 'auth' ? configuration.fhir.url : configuration.auth.platformAudience
}

/** From the table where the authorization server runs in this process, else from its feed. */
async function revocationsOf(
  configuration: Configuration,
  { database, clock, fetchJson, signingKeys }: TokenDeps,
): Promise<unknown> {
  if (signingKeys !== undefined) return currentRevocations(clock.now(), database)
  return fetchJson(`${configuration.auth.url}/oauth2/revocations`)
}

function keysOf(configuration: Configuration, { clock, log, fetchJson, signingKeys }: TokenDeps): KeySet {
  if (signingKeys !== undefined) return localKeySet(() => signingKeys.publicKeys())
  return remoteKeySet({ url: `${configuration.auth.url}/oauth2/jwks`, fetchJson, clock, log })
}
