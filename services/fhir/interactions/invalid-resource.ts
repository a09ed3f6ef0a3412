import { Fault } from '../../../packages/faults/fault.ts'
import { operationOutcomeOf } from '../../../packages/faults/render.ts'
import type { Issue } from '../../../packages/fhir/validate/issue.ts'

/** A resource that breaks the rules of R4. It keeps the issues, whose words say more than the kind of the fault. */
export class InvalidResource extends Fault {
  readonly issues: readonly Issue[]

  constructor(issues: readonly Issue[]) {
    const fields = issues.filter(({ severity }) => severity === 'error').map(({ path, message }) => ({ path, message }))
    super('unprocessable', 'The resource is not valid.', { code: 'INVALID_RESOURCE', fields })
    this.issues = issues
  }
}

/** Every error as FHIR says it. */
export function outcomeOf(fault: Fault): object {
  return fault instanceof InvalidResource ? outcomeOfIssues(fault.issues) : operationOutcomeOf(fault)
}

export function outcomeOfIssues(issues: readonly Issue[]): object {
  return {
    resourceType: 'OperationOutcome',
    issue: issues.map(({ severity, code, path, message, rule }) => ({
      severity,
      code,
      ...(rule === undefined ? {} : { details: { text: rule } }),
      diagnostics: message,
      expression: [path],
    })),
  }
}

/** An outcome that says nothing but that all is well. */
export const allWell = (diagnostics: string): object => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'information', code: 'informational', diagnostics }],
})
