import type { AuthSettings } from '../settings.ts'
import type { SavedRequest } from '../store/authorization-requests.ts'
import type { Launch } from '../store/launches.ts'
import type { User } from '../store/users.ts'
import type { Asked } from './asked.ts'

/** Whose record the app gets. */
export interface PatientContext {
  readonly patient: string | null
  readonly encounter: string | null
}

/** The context, or `pick` when the user has to choose. It never comes from the request itself. */
export function patientContext(
  asked: Asked,
  user: User,
  launch: Launch | undefined,
  saved: SavedRequest | undefined,
  { patientPicker }: Pick<AuthSettings, 'patientPicker'>,
): PatientContext | 'pick' {
  if (launch !== undefined) return { patient: launch.patient, encounter: launch.encounter }
  // A patient has one record to offer, their own.
  if (user.fhirUser.startsWith('Patient/')) return { patient: user.subject, encounter: null }
  const wantsPatient = asked.parameters['scope']?.split(' ').includes('launch/patient') === true
  const canPick = patientPicker === 'auto' && asked.client.patientPicker === 'auto'
  if (!wantsPatient || !canPick) return { patient: null, encounter: null }
  return saved?.hasPicked === true ? { patient: saved.pickedPatient, encounter: null } : 'pick'
}
