import { roles } from '../../../packages/http/who.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'

export const clinicians = roles('CLINICIAN', 'ADMIN')
export const cliniciansAndPatients = roles('CLINICIAN', 'ADMIN', 'PATIENT')

/** For a caller who is a patient and nothing more, the only patient whose data they may see. */
export function onlyPatientOf({ roles: held, subject }: Caller): string | undefined {
  if (held.has('CLINICIAN') || held.has('ADMIN')) return undefined
  return patientReference(subject)
}

/** A patient as this service writes them, given with the type or without it. */
export const patientReference = (given: string): string => (given.startsWith('Patient/') ? given : `Patient/${given}`)
