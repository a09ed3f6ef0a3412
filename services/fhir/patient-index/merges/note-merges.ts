import type { Patient } from '../../../../packages/fhir/r4.ts'
import { tellNotices } from '../../../../packages/sql/notices.ts'
import type { JobQueue } from '../../../../packages/sql/tasks/job-queue.ts'
import { isGoldenRecord, linkedPatientId } from '../../../../ports/patient-index/golden-link.ts'
import type { WriteHook } from '../../store/write-deps.ts'
import type { MergeListeners } from './merge-listeners.ts'

/** Patients who were merged into others, and whose record is still to follow them. */
export const mergeQueue = 'fhir.merged-patients'

export interface MergedPatient {
  readonly patientId: string
  /** The key up to which it was done. */
  readonly after?: string
  /** Somebody may have written to the old record while it was merged: it is looked at once more. */
  readonly isLaterLook?: boolean
  /** How often it was looked at and had to stay. */
  readonly stays?: number
  /** How often in a row others were quicker with all that was left of it. */
  readonly misses?: number
}

/** In the transaction that writes the merge, so that none is forgotten; everybody else's writes cost nothing. */
export const noteMerges =
  (jobs: JobQueue, listeners: Pick<MergeListeners, 'tell'>): WriteHook =>
  async (written, tx) => {
    const merged = written.filter(({ type, resource }) => type === 'Patient' && isMerged(resource))
    if (merged.length === 0) return []
    const ids = merged.map(({ id }) => id)
    tx.afterCommit(() => {
      jobs.wake()
      listeners.tell(ids)
    })
    return [
      jobs.insert(ids.map((patientId) => jobOf({ patientId }))).statement,
      tellNotices('corridor_patient_merges', ids),
    ]
  }

export const jobOf = (payload: MergedPatient) => ({ queue: mergeQueue, key: payload.patientId, payload })

function isMerged(resource: object | undefined): boolean {
  // Sound: the store has validated it as a Patient.
  const patient = resource as Patient | undefined
  return patient !== undefined && linkedPatientId(patient, 'replaced-by') !== undefined && !isGoldenRecord(patient)
}
