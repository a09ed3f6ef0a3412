import { conflict } from '../../../packages/faults/fault.ts'
import { versionsIn } from '../../../packages/http/version-tag.ts'
import type { ConsentRecord } from '../record/consent-record.ts'

/** HTTP would say 412; the specification has one answer for every lost race, and this is one. */
export function checkIfMatch(header: string | undefined, record: ConsentRecord): void {
  if (versionsIn(header)?.includes(record.version) === false) throw changedMeanwhile()
}

export const changedMeanwhile = () =>
  conflict('The consent record was changed in the meantime. Read it again and repeat the change.', {
    code: 'VERSION_CONFLICT',
  })
