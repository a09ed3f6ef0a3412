import { addOutcome, beginAnswer, type Answer, type AnswerDeps } from './acknowledge.ts'
import { raw, type FieldValue } from './field-value.ts'
import type { Message } from './message.ts'
import type { Segment } from './segment.ts'
import { formatTimestamp } from './timestamp.ts'

/** What became of one MFE record. */
export interface RecordOutcome {
  readonly record: Segment
  /** HL7 table 0181: S successful, U unsuccessful. */
  readonly code: 'S' | 'U'
  readonly text?: string
}

export interface MasterFileAnswer extends Answer {
  readonly records: readonly RecordOutcome[]
}

/** MFK: the answer to a master file notification, with a line for each record that the sender wants to hear of. */
export function answerMasterFile(notification: Message, answer: MasterFileAnswer, deps: AnswerDeps): Message {
  const trigger = notification.getText('MSH-9.2')
  const type: FieldValue = trigger === undefined ? ['MFK'] : ['MFK', trigger, 'MFK_M01']
  const builder = beginAnswer(notification, type, deps)
  addOutcome(builder, notification, answer)
  const mfi = notification.segment('MFI')
  if (mfi !== undefined) builder.addRaw(`MFI${mfi.raw.slice(3)}`)
  const time = formatTimestamp(deps.clock.now())
  for (const { record, code, text } of answer.records.filter(wanted(mfi?.text(6)))) {
    const copy = (field: number) => raw(record.rawField(field))
    builder.add('MFA', [copy(1), copy(2), time, [code, text, 'HL70181'], copy(4), copy(5)])
  }
  return builder.message()
}

/** MFI-6: never, only errors, only successes, else always. */
function wanted(level: string | undefined): (outcome: RecordOutcome) => boolean {
  switch (level ?? 'AL') {
    case 'NE':
      return () => false
    case 'ER':
      return ({ code }) => code === 'U'
    case 'SU':
      return ({ code }) => code === 'S'
    default:
      return () => true
  }
}
