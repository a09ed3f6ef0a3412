import {
  answerMasterFile,
  type AnswerDeps,
  type Message,
  type RecordOutcome,
} from '../../../../../packages/hl7/index.ts'
import type { Mapping } from '../../mapped.ts'

/** What became of each MFE of a mapped message: unsuccessful where the mapping left it out, or refused the whole. */
export function recordOutcomes(message: Message, { refused, warnings }: Mapping): RecordOutcome[] {
  return message.segments('MFE').map((record, index): RecordOutcome => {
    const path = `MFE${index === 0 ? '' : `[${index}]`}-`
    const text =
      refused?.[0]?.text ?? warnings.find((one) => one.kind === 'not-kept' && one.path.startsWith(path))?.text
    return text === undefined ? { record, code: 'S' } : { record, code: 'U', text }
  })
}

/** MFK: AA when every record was taken, else AE; with a line a record, as far as MFI-6 asks for them. */
export function masterFileReply(message: Message, outcomes: readonly RecordOutcome[], deps: AnswerDeps): Message {
  const failed = outcomes.filter(({ code }) => code === 'U')
  const text = failed.length === 0 ? {} : { text: `${failed.length} of ${outcomes.length} records were not taken.` }
  return answerMasterFile(message, { code: failed.length === 0 ? 'AA' : 'AE', ...text, records: outcomes }, deps)
}
