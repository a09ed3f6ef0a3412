import { conflict } from '../../../packages/faults/fault.ts'
import { text } from '../../../packages/http/fields.ts'
import type { ConsentRecord } from '../record/consent-record.ts'

export const IfMatch = {
  'if-match': text({ max: 200, optional: true, description: 'The ETag of the version that the change was made from.' }),
}

/** HTTP would say 412; the specification has one answer for every lost race, and this is one. */
export function checkIfMatch(header: string | undefined, record: ConsentRecord): void {
  if (header === undefined || header.trim() === '*') return
  const versions = header.split(',').map((tag) => /^(?:W\/)?"(\d+)"$/.exec(tag.trim())?.[1])
  if (!versions.includes(String(record.version))) throw changedMeanwhile()
}

export const changedMeanwhile = () =>
  conflict('The consent record was changed in the meantime. Read it again and repeat the change.', {
    code: 'VERSION_CONFLICT',
  })
