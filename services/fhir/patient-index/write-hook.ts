import type { WriteHook, WrittenResource } from '../store/write-deps.ts'
import { forgettingPatients, indexingPatients, restoringGolden, type StoredPatient } from './index-patients.ts'

/** Keeps the patient index in step with the record: give it to the store. */
export const indexPatients: WriteHook = async (written) => {
  const patients = written.filter(({ type }) => type === 'Patient')
  const deleted = patients.filter(({ resource }) => resource === undefined)
  // Sound: the store has validated it as a Patient and hands it on with its id.
  const current = (isWanted: (one: WrittenResource) => boolean) =>
    patients.filter(isWanted).flatMap(({ resource }) => (resource === undefined ? [] : [resource as StoredPatient]))
  return [
    ...indexingPatients(current(() => true)),
    ...restoringGolden(current(({ isNew }) => !isNew)),
    ...forgettingPatients(deleted.map(({ id }) => id)),
  ]
}
