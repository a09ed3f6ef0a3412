import type { CodeSet } from '../compiled.ts'
import { listOf } from './references.ts'
import type { Check, Node } from './report.ts'

/** A code with a required binding. A hit in the set is a well-formed code, so no other check is needed. */
export function boundCodeCheck(codeSet: CodeSet): Check {
  const codes = new Set(Object.values(codeSet).flat())
  const advice = `Use one of these codes: ${listOf(codes)}.`
  return (value, report) => {
    if (typeof value !== 'string' || !codes.has(value)) report.error('code-invalid', advice)
  }
}

/** A concept with a required binding: one of its codings must be from the set, others may translate it. */
export function boundConceptCheck(check: Check, codeSet: CodeSet): Check {
  const known = new Set(Object.entries(codeSet).flatMap(([system, codes]) => codes.map((code) => `${system}|${code}`)))
  const advice = `One coding must be from the required set: ${listOf(known)}.`
  return (value, report) => {
    check(value, report)
    if (typeof value !== 'object' || value === null) return
    const { coding, extension } = value as Node
    if (extension !== undefined && coding === undefined) return
    if (
      Array.isArray(coding) &&
      coding.some((item: Node | null) => known.has(`${item?.['system'] as string}|${item?.['code'] as string}`))
    )
      return
    report.error('code-invalid', advice)
  }
}
