import { languages } from '../../../packages/views/words/languages.ts'
import type { AuthSettings } from '../settings.ts'
import { smartConfiguration } from './smart-configuration.ts'
import { claimsSupported } from './supported.ts'

/** OpenID Connect Discovery 1.0 section 3. */
export function openidConfiguration(settings: Pick<AuthSettings, 'issuer' | 'authorizationResponseIss'>) {
  const { capabilities: _smartOnly, management_endpoint: _alsoSmart, ...shared } = smartConfiguration(settings)
  return {
    ...shared,
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
