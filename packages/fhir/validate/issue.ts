/** The words of FHIR's IssueType that validation uses. */
export type IssueCode =
  | 'structure'
  | 'required'
  | 'value'
  | 'code-invalid'
  | 'invariant'
  | 'too-costly'
  | 'invalid'
  | 'business-rule'
  | 'not-supported'

/** One thing that is wrong. Messages name elements and rules, never the values: those may be patient data. */
export interface Issue {
  readonly severity: 'error' | 'warning'
  readonly code: IssueCode
  /** A FHIRPath expression: `Patient.name[0].family`. */
  readonly path: string
  readonly message: string
  /** Of an invariant, its name in the standard: `pat-1`. */
  readonly rule?: string
}

export const hasErrors = (issues: readonly Issue[]): boolean => issues.some((issue) => issue.severity === 'error')
