import { roles } from '../../../packages/http/who.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import { ownPatient } from '../../../packages/tokens/own-patient.ts'

export const clinicians = roles('CLINICIAN', 'ADMIN')
export const cliniciansAndPatients = roles('CLINICIAN', 'ADMIN', 'PATIENT')

/** Whose data a caller may see: for who is a patient and nothing more their own; for who is not even that, nobody's. */
export function reachOf(caller: Caller): Reach {
  if (caller.roles.has('CLINICIAN') || caller.roles.has('ADMIN')) return { of: 'everybody' }
  const patientId = ownPatient(caller)
  return patientId === undefined ? { of: 'nobody' } : { of: 'oneself', patientId }
}

type Reach = { readonly of: 'everybody' | 'nobody' } | { readonly of: 'oneself'; readonly patientId: string }

/** A patient as this service writes them, given with the type or without it. */
export const patientReference = (given: string): string => (given.startsWith('Patient/') ? given : `Patient/${given}`)
