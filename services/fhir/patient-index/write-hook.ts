import type { WriteHook } from '../store/write.ts'
import { forgettingPatients, indexingPatients, type StoredPatient } from './index-patients.ts'

/** Keeps the patient index in step with the record: give it to the store. */
export const indexPatients: WriteHook = async (written) => {
  const patients = written.filter(({ type }) => type === 'Patient')
  const deleted = patients.filter(({ resource }) => resource === undefined)
  // Sound: the store has validated it as a Patient and hands it on with its id.
  const current = patients.flatMap(({ resource }) => (resource === undefined ? [] : [resource as StoredPatient]))
  return [...indexingPatients(current), ...forgettingPatients(deleted.map(({ id }) => id))]
}
