import type { Clock } from '../../../packages/clock/clock.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { KeyStore } from '../../../packages/keys/key-store.ts'
import { localKeySet, type KeySet } from '../../../packages/tokens/key-set.ts'
import { remoteKeySet, type FetchJson } from '../../../packages/tokens/remote-key-set.ts'
import { makeTokenVerifier, type TokenVerifier } from '../../../packages/tokens/verifier.ts'
import type { Configuration } from '../configuration.ts'
import type { ServiceName } from '../services.ts'

interface TokenDeps {
  readonly clock: Clock
  readonly log: Log
  readonly fetchJson: FetchJson
  /** The keys themselves, where the authorization server runs in this process. */
  readonly signingKeys: KeyStore | undefined
}

/** How each service checks the tokens it is shown. */
export function tokenVerifiers(configuration: Configuration, deps: TokenDeps): (name: ServiceName) => TokenVerifier {
  const keySet = keysOf(configuration, deps)
  return (name) =>
    makeTokenVerifier({
      issuer: configuration.auth.url,
      audiences: [audienceOf(name, configuration)],
      keySet,
      clock: deps.clock,
    })
}

// Every token names the FHIR base; the platform's own APIs open only to first-party clients, whose tokens also name
// the platform. Otherwise any SMART app would inherit its clinician's rights at the consent API.
function audienceOf(name: ServiceName, configuration: Configuration): string {
  return name === 'fhir' ? configuration.fhir.url : configuration.auth.platformAudience
}

function keysOf(configuration: Configuration, { clock, log, fetchJson, signingKeys }: TokenDeps): KeySet {
  if (signingKeys !== undefined) return localKeySet(() => signingKeys.publicKeys())
  return remoteKeySet({ url: `${configuration.auth.url}/oauth2/jwks`, fetchJson, clock, log })
}
