import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import type { Granted } from '../../../packages/sign-in/token-endpoint.ts'

/** What a SMART server adds to its tokens: for whom the app was launched, and who shows it. */
export interface LaunchContext {
  readonly patient: string | undefined
  readonly needPatientBanner: boolean
}

export function launchContextOf({ members }: Pick<Granted, 'members'>): LaunchContext {
  const patient = members.get('patient')
  return {
    // A FHIR id becomes part of addresses: nothing else is taken for one.
    patient: typeof patient === 'string' && isFhirId(patient) ? patient : undefined,
    // Unless the portal says that it shows whose record this is, we do.
    needPatientBanner: members.get('need_patient_banner') !== false,
  }
}
