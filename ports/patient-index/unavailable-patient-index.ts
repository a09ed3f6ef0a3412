import { unavailable } from '../../packages/faults/fault.ts'
import type { PatientIndex } from './patient-index.ts'

const none = async (): Promise<never> => {
  throw unavailable('There is no patient index.', { code: 'NO_PATIENT_INDEX' })
}

/** Where there is no patient index: nobody can be told from anybody. */
export const unavailablePatientIndex: PatientIndex = { resolve: none, recognise: none, match: none, check: none }
