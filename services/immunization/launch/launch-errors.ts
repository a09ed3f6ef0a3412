/** Why somebody stands on the start page: the words of `/launch?error=`. */
const launchErrors = [
  'invalid_state',
  'token_exchange_failed',
  'no_patient',
  'access_denied',
  'unknown_issuer',
  'fhir_unavailable',
  'no_session',
  'session_expired',
  'signed_out',
] as const

export type LaunchError = (typeof launchErrors)[number]

/** A word that nobody knows is the commonest of them. */
export const launchErrorOf = (word: string): LaunchError =>
  launchErrors.find((known) => known === word) ?? 'token_exchange_failed'
