import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { AuthDeps } from '../deps.ts'
import { lookOf } from '../portal/look.ts'
import { relatedPatient } from '../portal/related-patient.ts'
import type { SavedRequest } from '../store/authorization-requests.ts'
import type { UserInToken } from '../store/grant-and-user.ts'
import type { Launch } from '../store/launches.ts'
import type { User } from '../store/users.ts'
import type { Asked } from './asked.ts'
import { isRelated, isStaff, worksHere } from './negotiate-scope.ts'

/** Whose record the app gets. */
export interface PatientContext {
  readonly patient: string | null
  readonly encounter: string | null
}

/** The context, or `pick` when the user has to choose. It never comes from the request itself. */
export async function patientContext(
  asked: Asked,
  user: User,
  launch: Launch | undefined,
  saved: SavedRequest | undefined,
  request: IncomingRequest,
  deps: AuthDeps,
): Promise<PatientContext | 'pick'> {
  if (launch !== undefined) return { patient: launch.patient, encounter: launch.encounter }
  // A patient has one record to offer, their own.
  if (user.fhirUser.startsWith('Patient/')) return { patient: user.subject, encounter: null }
  const scopes = asked.parameters['scope']?.split(' ') ?? []
  if (isRelated(user)) {
    const wantsAny = scopes.some((scope) => scope === 'launch/patient' || scope.startsWith('patient/'))
    return { patient: wantsAny ? await relatedPatient(user, lookOf(user, request, deps)) : null, encounter: null }
  }
  const canPick = deps.settings.patientPicker === 'auto' && asked.client.patientPicker === 'auto' && isStaff(user)
  if (!scopes.includes('launch/patient') || !canPick) return { patient: null, encounter: null }
  return saved?.hasPicked === true ? { patient: saved.pickedPatient, encounter: null } : 'pick'
}

/** Whether a context that was given once could still be: who works here chose it, everybody else has one record. */
export const mayHavePatient = (user: UserInToken, patient: string): boolean =>
  worksHere(user) || isRelated(user) || (user.fhirUser.startsWith('Patient/') && user.subject === patient)
