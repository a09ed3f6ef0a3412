import type { FaultKind } from '../../packages/faults/fault.ts'
import type { ErrorRenderer } from '../../packages/http/error-style.ts'

/** The form of the specification: a code for programs, a message for people. */
export const immunizationErrors: ErrorRenderer = (fault) => {
  const isOurs = fault.code !== undefined && /^[a-z_]+$/.test(fault.code)
  const code = isOurs ? fault.code : codes[fault.kind]
  const fields = fault.fields.map(({ path, message }) => `${path}: ${message}`).join('; ')
  const message = fields === '' ? fault.shown : `${fault.shown} ${fields}`
  return { mediaType: 'application/json', body: JSON.stringify({ code, message }) }
}

const codes: Readonly<Record<FaultKind, string>> = {
  incorrect: 'invalid_request',
  unauthenticated: 'no_session',
  forbidden: 'forbidden',
  missing: 'not_found',
  conflict: 'conflict',
  unprocessable: 'unprocessable',
  'too-much': 'too_many_requests',
  unavailable: 'unavailable',
  bug: 'internal_error',
}
