import { answers } from '../../packages/faults/answers.ts'
import { problemOf } from '../../packages/faults/render.ts'
import type { ErrorRenderer } from '../../packages/http/error-style.ts'

/** Problem details that always have a code, so that a program need not read the title. */
export const bridgeErrors: ErrorRenderer = (fault, now) => {
  const { code = answers[fault.kind].code, ...problem } = problemOf(fault, now)
  return { mediaType: 'application/problem+json', body: JSON.stringify({ ...problem, code }) }
}
