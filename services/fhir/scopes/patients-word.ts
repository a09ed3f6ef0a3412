import type { Coding } from '../../../packages/fhir/r4.ts'

/**
 * What a patient, or who acts for one, has written or changed bears this label; HL7 has a code for it. It is put on with
 * every such write, so they can neither leave it out nor take it away. Those who treat take it off when they vouch.
 */
export const patientsWord = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'PATRPT',
  display: 'patient reported',
} as const satisfies Coding

/** Of the own Patient everything that others rely on cannot be changed, so the rest needs no label. */
export const isLabelled = (type: string): boolean => type !== 'Patient'

/**
 * What certificates are signed from. Of these, patients change and delete what is their own word only: a dose that a
 * hospital has recorded stays what the hospital says.
 */
export const isVouchedFor = (type: string): boolean => type === 'Immunization'

/** The resource, which is valid, with the label. */
export function labelled(resource: object): object {
  const { meta = {}, ...rest } = resource as { readonly meta?: { readonly security?: readonly Coding[] } }
  const { security = [] } = meta
  if (security.some(isPatientsWord)) return resource
  return { ...rest, meta: { ...meta, security: [...security, patientsWord] } }
}

const isPatientsWord = ({ system, code }: Coding) => system === patientsWord.system && code === patientsWord.code
