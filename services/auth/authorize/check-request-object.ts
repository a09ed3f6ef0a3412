import { refusal, type Asked, type Refusal } from './asked.ts'

/** OpenID Connect Core section 6: what is not supported must be said, never ignored. */
export function checkRequestObject({ parameters }: Asked): Refusal | undefined {
  if (parameters['request'] !== undefined) return refusal('request_not_supported', 'request is not supported.')
  if (parameters['request_uri'] === undefined) return undefined
  return refusal('request_uri_not_supported', 'request_uri is not supported.')
}
