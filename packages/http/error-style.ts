import type { Fault } from '../faults/fault.ts'
import { oauthErrorOf, operationOutcomeOf, problemOf } from '../faults/render.ts'

/** How an answer says that something is wrong: RFC 9457, FHIR, OAuth, or a service's own way. */
export type ErrorStyle = 'problem' | 'fhir' | 'oauth' | ErrorRenderer

export type ErrorRenderer = (fault: Fault, now: Date) => RenderedError

interface RenderedError {
  readonly mediaType: string
  readonly body: string
}

export function renderError(style: ErrorStyle, fault: Fault, now: Date): RenderedError {
  return typeof style === 'function' ? style(fault, now) : renderers[style](fault, now)
}

const renderers: Readonly<Record<'problem' | 'fhir' | 'oauth', ErrorRenderer>> = {
  problem: (fault, now) => ({ mediaType: 'application/problem+json', body: JSON.stringify(problemOf(fault, now)) }),
  fhir: (fault) => ({
    mediaType: 'application/fhir+json; charset=utf-8',
    body: JSON.stringify(operationOutcomeOf(fault)),
  }),
  oauth: (fault) => ({ mediaType: 'application/json', body: JSON.stringify(oauthErrorOf(fault)) }),
}
