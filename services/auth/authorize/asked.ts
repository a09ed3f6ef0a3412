import type { Client } from '../store/clients.ts'
import type { Parameters } from '../store/authorization-requests.ts'

/** A request whose client and address of return are known to be good. */
export interface Asked {
  readonly parameters: Parameters
  readonly client: Client
  readonly redirectUri: string
}

/** A "no" that the app is told about, by sending the user back to it. A fault is shown to the user instead. */
export interface Refusal {
  readonly error:
    | 'unsupported_response_type'
    | 'invalid_request'
    | 'invalid_scope'
    | 'access_denied'
    | 'login_required'
    | 'interaction_required'
    | 'consent_required'
    | 'request_not_supported'
    | 'request_uri_not_supported'
  readonly description: string
}

export const refusal = (error: Refusal['error'], description: string): Refusal => ({ error, description })
