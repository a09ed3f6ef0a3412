import { parseReference } from '../../packages/fhir/reference.ts'
import type { Patient, Reference } from '../../packages/fhir/r4.ts'

/** Marks a golden record among Patients, in our own store and on somebody else's. */
export const goldenTag = { system: 'urn:corridor:patient-index', code: 'golden' } as const

/** The system of a golden record's own identifier; its value is the record's id. */
export const goldenIdSystem = 'urn:corridor:golden-id'

/**
 * Marks a record that others referred to until somebody confirmed that it is of the same person as another such record. It
 * is one of many since, and what it says of consent holds for the person still.
 */
export const goldenBeforeTag = { system: 'urn:corridor:patient-index', code: 'golden-before' } as const

/** An identity and nobody's record: there is nothing in it to show. */
export const isGoldenRecord = (patient: Patient): boolean => hasTag(patient, goldenTag)

export const isGoldenBefore = (patient: Patient): boolean => hasTag(patient, goldenBeforeTag)

const hasTag = ({ meta }: Patient, wanted: typeof goldenTag | typeof goldenBeforeTag): boolean =>
  meta?.tag?.some(({ system, code }) => system === wanted.system && code === wanted.code) === true

/** Whom a record belongs to: the one it refers to, or itself. */
export const goldenIdOf = (patient: Patient & { readonly id: string }): string =>
  linkedPatientId(patient, 'refer') ?? patient.id

/** The Patient to whom the first such link leads. */
export function linkedPatientId({ link = [] }: Patient, wanted: WantedLink): string | undefined {
  for (const { type, other } of link) {
    const id = type === wanted ? patientIdIn(other) : undefined
    if (id !== undefined) return id
  }
  return undefined
}

/** What a record says of another one: its person, the one that took its place, one more of the same person. */
export type WantedLink = 'refer' | 'replaced-by' | 'seealso'

/** Whether any of its links leads to this Patient: what a search by `link` finds. */
export const isLinkedTo = ({ link = [] }: Patient, id: string): boolean =>
  link.some(({ other }) => patientIdIn(other) === id)

function patientIdIn({ reference = '' }: Reference): string | undefined {
  const target = parseReference(reference)
  const isPatient = (target?.kind === 'relative' || target?.kind === 'absolute') && target.type === 'Patient'
  return isPatient ? target.id : undefined
}
