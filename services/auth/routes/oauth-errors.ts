import type { ErrorRenderer } from '../../../packages/http/error-style.ts'
import { answers } from '../../../packages/faults/answers.ts'
import type { Fault } from '../../../packages/faults/fault.ts'

/** RFC 6749 section 5.2. Codes that are words of ours, not of OAuth, become the word of their kind. */
export const oauthErrors: ErrorRenderer = (fault) => ({
  mediaType: 'application/json',
  body: JSON.stringify({ error: wordOf(fault), error_description: descriptionOf(fault) }),
})

function wordOf({ code, kind }: Fault): string {
  return code !== undefined && /^[a-z]+(_[a-z]+)*$/.test(code) ? code : answers[kind].oauthError
}

/** Every wrong field is named; only the characters that RFC 6749 allows. */
function descriptionOf({ shown, fields }: Fault): string {
  const named = fields.map(({ path, message }) => `${path} ${message}`).join('; ')
  return `${shown} ${named}`.trim().replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ')
}
