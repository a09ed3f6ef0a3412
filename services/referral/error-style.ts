import { answers } from '../../packages/faults/answers.ts'
import { problemOf } from '../../packages/faults/render.ts'
import type { ErrorRenderer } from '../../packages/http/error-style.ts'

/** The specification allows a problem or an object with code and message; this is both, so that either client works. */
export const referralErrors: ErrorRenderer = (fault, now) => {
  const problem = problemOf(fault, now)
  const isOurs = fault.code !== undefined && /^[A-Z_]+$/.test(fault.code)
  const code = isOurs ? fault.code : answers[fault.kind].code
  return { mediaType: 'application/problem+json', body: JSON.stringify({ ...problem, code, message: problem.detail }) }
}
