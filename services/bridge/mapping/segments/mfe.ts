import type { Segment } from '../../../../packages/hl7/index.ts'
import { at } from '../at.ts'
import { mapCode } from '../code-map.ts'
import type { Draft } from '../draft.ts'
import { beginningOf, timestamp } from '../dt/ts.ts'
import { recordEvent } from '../v/0180-record-event.ts'
import { clocksDifferMs } from './evn.ts'

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

/**
 * MFE-3: whether somebody or something is to be out of use only later: nobody would remember to do so then, and to do it now would
 * be too early. What is added ahead of its time does no harm.
 */
export function endsLater(mfe: Segment, active: boolean | undefined, draft: Draft): boolean {
  const place = at(draft, mfe, 3)
  const { receivedAt } = draft.context
  const from = active === false ? timestamp(mfe.part(3), place) : undefined
  if (from === undefined || receivedAt === undefined) return false
  const isAhead = Date.parse(beginningOf(from, place)) > receivedAt.getTime() + clocksDifferMs
  if (isAhead)
    leaveOut(mfe, 'The record ends something later, so it was left out. Send it again when it does.', draft, 3)
  return isAhead
}

/** A record that could not be taken. The warning's place is a field of the MFE, by which the reply finds it. */
export function leaveOut(mfe: Segment, text: string, draft: Draft, field: 1 | 3 | 4 = 4): void {
  draft.warn('not-kept', `${draft.pathOf(mfe)}-${field}`, text)
}
