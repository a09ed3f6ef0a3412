import { parseReference } from '../../../../packages/fhir/reference.ts'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import { goldenIdSystem, goldenTag } from '../../../../ports/patient-index/golden-link.ts'

/**
 * A golden record is an identity and not a second copy: the data stay in the records that refer to it, where they are
 * searched, consented and corrected once.
 */
export function goldenRecord(id: string): Patient & { readonly id: string } {
  return {
    resourceType: 'Patient',
    id,
    meta: { tag: [goldenTag] },
    identifier: [{ use: 'official', system: goldenIdSystem, value: id }],
    active: true,
  }
}

/** Whom a record belongs to: the one it refers to or was replaced by, or itself. */
export function survivingGoldenIdOf(patient: Patient & { readonly id: string }): string {
  return linkedId(patient, 'replaced-by') ?? linkedId(patient, 'refer') ?? patient.id
}

/** The same record, referring to this golden record and no other. */
export function referringTo(patient: Patient, goldenId: string): Patient {
  const others = (patient.link ?? []).filter(({ type }) => type !== 'refer')
  return { ...patient, link: [...others, link('refer', goldenId)] }
}

export const link = (type: 'refer' | 'replaces' | 'replaced-by', id: string) => ({
  type,
  other: { reference: `Patient/${id}` },
})

function linkedId({ link: links = [] }: Patient, wanted: 'refer' | 'replaced-by'): string | undefined {
  for (const { type, other } of links) {
    const target = type === wanted ? parseReference(other.reference ?? '') : undefined
    if (target?.kind === 'relative' && target.type === 'Patient') return target.id
  }
  return undefined
}
