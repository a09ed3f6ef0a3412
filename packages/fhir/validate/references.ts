import { isFhirId } from '../fhir-id.ts'
import { parseReference, referencedType } from '../reference.ts'
import type { Check, Node, Report } from './report.ts'

/** Wraps the check of a Reference: its target must be of a type that the element allows. */
export function referenceCheck(
  check: Check,
  targets: readonly string[] | undefined,
  resourceTypes: ReadonlySet<string>,
): Check {
  const allowed = targets === undefined ? undefined : new Set(targets)
  return (value, report) => {
    check(value, report)
    if (typeof value !== 'object' || value === null) return
    checkTarget(value as Node, report, allowed, resourceTypes)
  }
}

function checkTarget(
  reference: Node,
  report: Report,
  allowed: ReadonlySet<string> | undefined,
  resourceTypes: ReadonlySet<string>,
): void {
  const text = reference['reference']
  if (typeof text === 'string' && allowed !== undefined) {
    // Nearly every reference is Type/id of an allowed type.
    const slash = text.indexOf('/')
    const isPlain = slash > 0 && allowed.has(text.slice(0, slash)) && isFhirId(text.slice(slash + 1))
    if (isPlain && reference['type'] === undefined) return
  }
  if (typeof text === 'string') checkForm(text, report, resourceTypes)
  const type = referencedType(reference, report.root['contained'])
  if (type === undefined) return
  const isAddress = typeof text === 'string' && /^https?:/.test(text)
  if (!resourceTypes.has(type)) {
    // An absolute address need not be a FHIR server's.
    if (!isAddress) report.error('value', 'The reference names no resource type of R4. Write it as Type/id.')
  } else if (allowed !== undefined && !allowed.has(type)) {
    report.error('value', `This must refer to ${listOf(allowed)}, not to ${type}.`)
  } else checkDeclaredType(reference['type'], type, report)
}

/** What a server could never follow is wrong; what only looks odd may be somebody's address. */
function checkForm(text: string, report: Report, resourceTypes: ReadonlySet<string>): void {
  const { kind } = parseReference(text)
  if (kind === 'conditional') {
    if (report.isInTransaction) return
    report.error(
      'value',
      'A conditional reference is looked up in a transaction only. Send the resource in one, or write Type/id.',
    )
  } else if (kind === 'other' && !/^[a-z][a-z0-9+.-]*:/i.test(text)) {
    const [type = '', ...rest] = text.split('/')
    if (resourceTypes.has(type) && rest.length > 0) {
      report.error('value', `What follows ${type}/ is no id. An id has 1 to 64 letters, digits, dots and hyphens.`)
    } else if (/^[^/\s]+(?:\/[^/\s]+)+$/.test(text)) {
      report.warning('value', 'The reference is not of the form Type/id.')
    } else report.error('value', 'The reference names no resource. Write it as Type/id or as an absolute address.')
  }
}

function checkDeclaredType(declared: unknown, type: string, report: Report): void {
  if (typeof declared !== 'string' || declared.startsWith('http') || declared === type) return
  report.error('value', `The reference leads to ${type} and says another type. Correct type or leave it out.`)
}

export function listOf(words: Iterable<string>): string {
  const all = [...words]
  const shown = all.slice(0, 12).join(', ')
  return all.length > 12 ? `${shown} or ${all.length - 12} others` : shown
}
