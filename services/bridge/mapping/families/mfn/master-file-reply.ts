import {
  answerMasterFile,
  type AnswerDeps,
  type Issue,
  type Message,
  type RecordOutcome,
} from '../../../../../packages/hl7/index.ts'
import type { Mapped, Warning } from '../../mapped.ts'

/** The answer to a master file that was mapped, and what was wrong with the records that it was not taken with. */
export interface MasterFileReply {
  readonly reply: Message
  /** MSA-3 where there are any issues. */
  readonly text: string
  readonly issues: readonly Issue[]
}

/** MFK: AA when every record was taken, else AE; with a line a record, as far as MFI-6 asks for them. */
export function masterFileReply(message: Message, { warnings }: Mapped, deps: AnswerDeps): MasterFileReply {
  const issues: Issue[] = []
  const lost = firstLosses(warnings)
  const records = message.segments('MFE').map((record, index): RecordOutcome => {
    const path = `MFE${index === 0 ? '' : `[${index}]`}-`
    const left = lost.get(path)
    if (left === undefined) return { record, code: 'S' }
    const { text } = left
    issues.push(issueOf(text, index + 1, left.path.slice(path.length)))
    return { record, code: 'U', text }
  })
  const text = `${issues.length} of ${records.length} records were not taken.`
  const said = issues.length === 0 ? { code: 'AA' as const } : { code: 'AE' as const, text, issues }
  return { reply: answerMasterFile(message, { ...said, records }, deps), text, issues }
}

/** What was not kept of each segment first, by its path up to the field: `MFE[3]-`. */
function firstLosses(warnings: readonly Warning[]): ReadonlyMap<string, Warning> {
  const lost = new Map<string, Warning>()
  for (const one of warnings) {
    const path = one.path.slice(0, one.path.indexOf('-') + 1)
    if (one.kind === 'not-kept' && !lost.has(path)) lost.set(path, one)
  }
  return lost
}

/** MFE-1 has no such event, MFE-3 is still to come, or the record has no key by which it could be kept. */
const issueOf = (text: string, sequence: number, field: string): Issue => ({
  code: codes[field] ?? '101',
  severity: 'E',
  text,
  location: { segment: 'MFE', sequence, field: Number(field) },
  applicationCode: { code: recordsNotTaken },
})

/** Of table 0357, by the field of MFE. */
const codes: Readonly<Record<string, Issue['code']>> = { 1: '103', 3: '207', 4: '101' }

/** ERR-5 of an answer to a master file of which some records, or all, were left out. */
export const recordsNotTaken = 'RECORDS_NOT_TAKEN'
