import { assertionAlgorithms } from '../grants/client-assertion.ts'
import type { AuthSettings } from '../settings.ts'
import { authMethods, grantTypes } from '../store/clients.ts'
import { capabilities, scopesSupported } from './supported.ts'

/**
 * What a SMART app reads first: the specification's fields in its order, then what else there is. The FHIR store serves
 * the same document under its own base.
 */
export function smartConfiguration({
  issuer,
  authorizationResponseIss,
}: Pick<AuthSettings, 'issuer' | 'authorizationResponseIss'>) {
  return {
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    token_endpoint_auth_methods_supported: authMethods,
    jwks_uri: `${issuer}/oauth2/jwks`,
    issuer,
    scopes_supported: scopesSupported,
    response_types_supported: ['code'],
    capabilities,
    code_challenge_methods_supported: ['S256'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_signing_alg_values_supported: Object.keys(assertionAlgorithms),
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    introspection_endpoint: `${issuer}/oauth2/introspect`,
    userinfo_endpoint: `${issuer}/oauth2/userinfo`,
    management_endpoint: `${issuer}/account/apps`,
    user_access_brand_bundle: `${issuer}/brands`,
    user_access_brand_identifier: { system: 'urn:ietf:rfc:3986', value: issuer },
    authorization_response_iss_parameter_supported: authorizationResponseIss,
  }
}
