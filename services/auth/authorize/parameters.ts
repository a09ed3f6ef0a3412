import { text } from '../../../packages/http/fields.ts'
import type { Parameters } from '../store/authorization-requests.ts'

const value = (max: number) => text({ max, optional: true })

/**
 * The parameters of an authorization request. Each may be missing here: what that means is said by the checks. So may a
 * client or a launch be longer than any of ours: it is one that nobody knows, and there is a word for that; and a state
 * longer than any may be, of which the app is told.
 */
export const authorizeParameters = {
  response_type: value(100),
  client_id: value(2_048),
  redirect_uri: value(2_048),
  scope: value(8_192),
  state: value(8_192),
  launch: value(8_192),
  aud: value(2_048),
  code_challenge: value(256),
  code_challenge_method: value(100),
  nonce: value(1_024),
  prompt: value(100),
  max_age: value(10),
  id_token_hint: value(8_192),
  login_hint: value(256),
  ui_locales: value(1_024),
  response_mode: value(100),
  request: value(8_192),
  request_uri: value(2_048),
}

/** An empty parameter counts as missing (RFC 6749 section 3.1). */
export function givenParameters(given: Readonly<Partial<Record<string, string>>>): Parameters {
  return Object.fromEntries(
    Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ''),
  )
}
