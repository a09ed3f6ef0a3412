import { answers, httpStatusByCode, type FinerAnswer } from './answers.ts'
import type { Fault } from './fault.ts'

/** The HTTP status of a fault: its kind's, or the finer one that its code names. */
export function httpStatusOf(fault: Fault): { httpStatus: number; title: string } {
  return finerOf(fault) ?? answers[fault.kind]
}

function finerOf({ kind, code }: Fault): FinerAnswer | undefined {
  const finer = code === undefined ? undefined : httpStatusByCode[code]
  return finer?.kind === kind ? finer : undefined
}

export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly timestamp: string
  readonly code?: string
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
  readonly instance?: string
}

/** RFC 9457 problem details, with the timestamp that the consent service's specification asks for. */
export function problemOf(fault: Fault, now: Date, instance?: string): Problem {
  const { httpStatus, title } = httpStatusOf(fault)
  return {
    type:
      fault.code === undefined
        ? 'about:blank'
        : `urn:corridor:problem:${fault.code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status: httpStatus,
    detail: detailOf(fault),
    timestamp: now.toISOString(),
    ...(fault.code === undefined ? {} : { code: fault.code }),
    ...(fault.fields.length === 0 ? {} : { errors: fault.fields.map(({ path, message }) => ({ path, message })) }),
    ...(instance === undefined ? {} : { instance }),
  }
}

/** RFC 6749 section 5.2. The code, where it is one, is already the OAuth error word. */
export function oauthErrorOf(fault: Fault): { error: string; error_description: string } {
  return { error: fault.code ?? answers[fault.kind].oauthError, error_description: fault.shown }
}

interface OperationOutcome {
  readonly resourceType: 'OperationOutcome'
  readonly issue: readonly {
    readonly severity: 'error' | 'fatal'
    readonly code: string
    readonly diagnostics: string
    readonly expression?: readonly string[]
  }[]
}

/** One issue a wrong field, or one issue for the whole. */
export function operationOutcomeOf(fault: Fault): OperationOutcome {
  const severity = fault.kind === 'bug' ? 'fatal' : 'error'
  const code = finerOf(fault)?.fhirIssue ?? answers[fault.kind].fhirIssue
  const issue =
    fault.fields.length === 0
      ? [{ severity, code, diagnostics: fault.shown } as const]
      : fault.fields.map(({ path, message }) => ({ severity, code, diagnostics: message, expression: [path] }) as const)
  return { resourceType: 'OperationOutcome', issue }
}

interface AcknowledgedFault {
  readonly ackCode: 'AE' | 'AR'
  readonly errorCode: string
  readonly applicationCode: string
  readonly text: string
}

/** What an HL7v2 acknowledgement says: MSA-1, ERR-3, ERR-5 and the text. */
export function acknowledgementOf(fault: Fault): AcknowledgedFault {
  const { ackCode, hl7Error, code } = answers[fault.kind]
  const applicationCode = fault.kind === 'bug' ? 'INTERNAL' : (fault.code ?? code)
  return { ackCode, errorCode: hl7Error, applicationCode, text: fault.shown }
}

function detailOf(fault: Fault): string {
  if (fault.fields.length === 0) return fault.shown
  return `${fault.shown} ${fault.fields.map(({ path, message }) => `${path}: ${message}`).join('; ')}`.trim()
}
