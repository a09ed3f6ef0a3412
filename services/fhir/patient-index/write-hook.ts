import type { JobQueue } from '../../../packages/sql/tasks/job-queue.ts'
import type { WriteHook, WrittenResource } from '../store/write-deps.ts'
import { forgettingPatients, indexingPatients, restoringGolden, type StoredPatient } from './index-patients.ts'
import { secondLookAt } from './second-looks/second-look.ts'

/** Keeps the patient index in step with the record, and has whoever more is known of looked for again: give it to the store. */
export const indexPatients =
  (jobs: Pick<JobQueue, 'insertWhere'>): WriteHook =>
  async (written) => {
    const patients = written.filter(({ type }) => type === 'Patient')
    const deleted = patients.filter(({ resource }) => resource === undefined)
    // Sound: the store has validated it as a Patient and hands it on with its id.
    const current = (isWanted: (one: WrittenResource) => boolean) =>
      patients.filter(isWanted).flatMap(({ resource }) => (resource === undefined ? [] : [resource as StoredPatient]))
    const before = current(({ isNew }) => !isNew)
    const looks = before.map(({ id }) => secondLookAt(id))
    return [
      ...indexingPatients(
        current(() => true),
        looks.length === 0 ? undefined : (saysMore) => jobs.insertWhere(looks, saysMore),
      ),
      ...restoringGolden(before),
      ...forgettingPatients(deleted.map(({ id }) => id)),
    ]
  }
