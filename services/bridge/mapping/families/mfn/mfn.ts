import type { Message, Segment, SegmentList } from '../../../../../packages/hl7/index.ts'
import { at, warnAt } from '../../at.ts'
import type { Draft } from '../../draft.ts'
import { missingSegment, unsupportedEvent } from '../../refusals.ts'
import { putProvenance } from '../../segments/evn.ts'
import { eventOfRecord, leaveOut } from '../../segments/mfe.ts'
import { triggerOf } from '../../segments/msh.ts'
import { putPlace } from './places.ts'
import { putStaff } from './staff.ts'

/** What the records of an event are; those of a general file say it by their segments. Others are not kept here. */
export const masterFiles: Readonly<Record<string, 'staff' | 'places' | 'any'>> = {
  M01: 'any',
  M02: 'staff',
  M05: 'places',
  M13: 'any',
}

export const isMasterFile = (message: Message): boolean => message.getText('MSH-9.1')?.trim().toUpperCase() === 'MFN'

/** MFN: the people and places of a facility, record by record. */
export function mapMfn(draft: Draft): void {
  const trigger = triggerOf(draft)
  const file = Object.hasOwn(masterFiles, trigger) ? masterFiles[trigger] : undefined
  if (file === undefined) unsupportedEvent('MFN', draft)
  const { groups } = draft.message.groups('MFE')
  if (groups.length === 0) missingSegment('MFE', draft)
  const isMeantHere = groups.some((group) => kindOf(file, group, draft) !== undefined)
  if (!isMeantHere) unsupportedEvent('MFN', draft)
  noteReplacement(draft)
  for (const group of groups) {
    const mfe = group.segment('MFE')
    if (mfe !== undefined) putRecord(mfe, group, kindOf(file, group, draft), draft)
  }
  putProvenance(draft)
}

function putRecord(mfe: Segment, group: SegmentList, kind: 'staff' | 'places' | undefined, draft: Draft): void {
  const event = eventOfRecord(mfe, draft)
  if (event === undefined) leaveOut(mfe, 'MFE-1 does not say what happens to the record, so it was left out.', draft, 1)
  else if ((event === 'add' || event === 'update') && !group.has('STF') && !group.has('LOC')) {
    leaveOut(mfe, 'The record says nothing of a person or a place, so it was left out.', draft)
  } else if (kind === 'staff') putStaff(mfe, group, event, draft)
  else if (kind === 'places') putPlace(mfe, group, event, draft)
  else leaveOut(mfe, 'The record is of neither a person nor a place, so it was left out.', draft)
}

/** The segments tell; a record without any (a deletion) is what its event or file (MFI-1) is about. */
function kindOf(
  file: 'staff' | 'places' | 'any',
  group: SegmentList,
  { message }: Draft,
): 'staff' | 'places' | undefined {
  if (group.has('STF')) return 'staff'
  if (group.has('LOC')) return 'places'
  if (file !== 'any') return file
  const name = message.getText('MFI-1')?.trim().toUpperCase() ?? ''
  return name === 'LOC' ? 'places' : name === 'PRA' || name === 'STF' ? 'staff' : undefined
}

/** MFI-3 REP: the whole file. Who is not in it any more stays: an absence is no word about anyone. */
function noteReplacement(draft: Draft): void {
  const mfi = draft.message.segment('MFI')
  if (mfi?.text(3)?.trim().toUpperCase() !== 'REP') return
  warnAt(
    at(draft, mfi, 3),
    'not-kept',
    'The file replaces an earlier one; records that it does not name were left as they are.',
  )
}
