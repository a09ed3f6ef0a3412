import { languages } from '../../../packages/views/words/languages.ts'
import type { AuthSettings } from '../settings.ts'
import { authMethods } from '../store/clients.ts'
import { smartConfiguration } from './smart-configuration.ts'
import { claimsSupported } from './supported.ts'

/**
 * OpenID Connect Discovery 1.0 section 3, and OAuth's own (RFC 8414 section 2): there, what is not said of an endpoint
 * means that it takes `client_secret_basic` alone.
 */
export function openidConfiguration(settings: Pick<AuthSettings, 'issuer' | 'authorizationResponseIss'>) {
  const { capabilities: _smartOnly, management_endpoint: _alsoSmart, ...shared } = smartConfiguration(settings)
  const { token_endpoint_auth_signing_alg_values_supported: algorithms } = shared
  return {
    ...shared,
    revocation_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    // Whoever asks about tokens proves something; an access token is a proof, too.
    introspection_endpoint_auth_methods_supported: [...authMethods.filter((method) => method !== 'none'), 'Bearer'],
    introspection_endpoint_auth_signing_alg_values_supported: algorithms,
    response_modes_supported: ['query'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: claimsSupported,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    ui_locales_supported: languages,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}
