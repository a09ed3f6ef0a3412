import type { Patient } from '../../../../packages/fhir/r4.ts'
import type { JobQueue } from '../../../../packages/sql/tasks/job-queue.ts'
import { isGoldenRecord } from '../../../../ports/patient-index/golden-link.ts'
import type { WriteHook } from '../../store/write-deps.ts'
import { secondLookAt } from './second-look.ts'

/** Two records are said to be of one person (merged, A40, or linked, A24): what else is known of either may be theirs. */
export const noteLinked =
  (jobs: Pick<JobQueue, 'insert' | 'wake'>): WriteHook =>
  async (written, tx) => {
    const linked = written.filter(({ type, resource }) => type === 'Patient' && isLinked(resource))
    if (linked.length === 0) return []
    tx.afterCommit(() => jobs.wake())
    return [jobs.insert(linked.map(({ id }) => secondLookAt(id))).statement]
  }

function isLinked(resource: object | undefined): boolean {
  // Sound: the store has validated it as a Patient.
  const patient = resource as Patient | undefined
  const isSaid = patient?.link?.some(({ type }) => type === 'replaced-by' || type === 'seealso') === true
  return isSaid && !isGoldenRecord(patient)
}
