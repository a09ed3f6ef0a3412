import { refusal, type Asked, type Refusal } from './asked.ts'

export function checkResponseType({ parameters }: Asked): Refusal | undefined {
  if (parameters['response_type'] !== 'code') {
    return refusal('unsupported_response_type', 'response_type must be code.')
  }
  const mode = parameters['response_mode']
  return mode === undefined || mode === 'query'
    ? undefined
    : refusal('invalid_request', 'response_mode must be query or left out.')
}
