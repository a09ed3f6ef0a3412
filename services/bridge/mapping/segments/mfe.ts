import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { mapCode } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { recordEvent } from '../v/0180-record-event.ts'

/** MFE-1: what happens to the record. */
export type RecordEvent = 'add' | 'update' | 'deactivate' | 'reactivate'

export const eventOfRecord = (mfe: Segment, draft: Draft): RecordEvent | undefined =>
  mapCode(recordEvent, mfe.text(1), at(draft, mfe, 1))

/**
 * Whether the record counts from now on; undefined when the message does not touch that. Who is added counts, also where the file
 * had them before and deleted them; unless the record itself says otherwise (STF-7).
 */
export function activity(event: RecordEvent, told?: boolean): boolean | undefined {
  if (event === 'deactivate') return false
  if (event === 'reactivate') return true
  return told ?? (event === 'add' ? true : undefined)
}

/** A record that could not be taken. The warning's place is a field of the MFE, by which the reply finds it. */
export function leaveOut(mfe: Segment, text: string, draft: Draft, field: 1 | 4 = 4): void {
  draft.warn('not-kept', `${draft.pathOf(mfe)}-${field}`, text)
}
