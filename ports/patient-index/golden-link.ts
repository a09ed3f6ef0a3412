import { parseReference } from '../../packages/fhir/reference.ts'
import type { Patient } from '../../packages/fhir/r4.ts'

/** Whom a record belongs to: the one it refers to, or itself. */
export function goldenIdOf(patient: Patient & { readonly id: string }): string {
  for (const { type, other } of patient.link ?? []) {
    const target = type === 'refer' ? parseReference(other.reference ?? '') : undefined
    if ((target?.kind === 'relative' || target?.kind === 'absolute') && target.type === 'Patient') return target.id
  }
  return patient.id
}
