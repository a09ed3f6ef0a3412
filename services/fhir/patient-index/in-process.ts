import type { Patient } from '../../../packages/fhir/r4.ts'
import { inProcessPatientIndex } from '../../../ports/patient-index/in-process-patient-index.ts'
import type { IndexMatch, PatientIndex } from '../../../ports/patient-index/patient-index.ts'
import { matchesIn, matchParameters } from '../../../ports/patient-index/r4-match.ts'
import { matchOperation } from './match-operation.ts'
import { recognisePatients, resolvePatients, type ResolveDeps } from './resolve.ts'

/** The patient index for a service of the same process. It acts for the platform: whoever asks decides what to show. */
export function patientIndexInProcess(deps: ResolveDeps & { readonly base: string }): PatientIndex {
  const visiblePatients = (ids: readonly string[]) => deps.records.read(ids, deps.database)
  return inProcessPatientIndex({
    resolve: (patients) => resolvePatients(patients, deps),
    recognise: async (patients) =>
      (await recognisePatients(patients, deps)).map((one) => (one.outcome === 'new' ? undefined : one)),
    match: async (patient: Patient, options): Promise<IndexMatch[]> =>
      matchesIn(await matchOperation(matchParameters(patient, options), { ...deps, visiblePatients })),
  })
}
