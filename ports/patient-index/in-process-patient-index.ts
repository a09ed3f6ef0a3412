import type { Patient } from '../../packages/fhir/r4.ts'
import type { IndexMatch, MatchOptions, PatientIndex, Resolution } from './patient-index.ts'

/** The use cases of the FHIR service itself. */
export interface IndexInProcess {
  readonly resolve: (patients: readonly Patient[]) => Promise<readonly Resolution[]>
  readonly recognise: (patients: readonly Patient[]) => Promise<readonly (Resolution | undefined)[]>
  readonly match: (patient: Patient, options: MatchOptions) => Promise<readonly IndexMatch[]>
}

/** The index of the same process. */
export function inProcessPatientIndex({ resolve, recognise, match }: IndexInProcess): PatientIndex {
  return {
    async resolve(patients, { signal } = {}) {
      signal?.throwIfAborted()
      return resolve(patients)
    },
    async recognise(patients, { signal } = {}) {
      signal?.throwIfAborted()
      return recognise(patients)
    },
    async match(patient, options = {}) {
      options.signal?.throwIfAborted()
      return match(patient, options)
    },
    // It stands on the same database as everything else, whose health is known.
    check: async () => {},
  }
}
