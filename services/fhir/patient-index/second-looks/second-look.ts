import type { NewTask } from '../../../../packages/sql/tasks/task.ts'

/** Patients who are looked for once more, because more is known of them than when they were recognised. */
export const secondLookQueue = 'fhir.second-looks'

export interface SecondLook {
  readonly patientId: string
}

export const secondLookAt = (patientId: string): NewTask & { readonly payload: SecondLook } => ({
  queue: secondLookQueue,
  key: patientId,
  payload: { patientId },
})
