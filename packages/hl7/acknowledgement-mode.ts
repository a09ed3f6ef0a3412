import type { AckCode } from './acknowledge.ts'
import type { Message } from './message.ts'

/** HL7 table 0155: always, never, only on error, only on success. */
export type AnswerCondition = 'AL' | 'NE' | 'ER' | 'SU'

export interface AcknowledgementMode {
  /** Enhanced as soon as MSH-15 or MSH-16 says something. */
  readonly mode: 'original' | 'enhanced'
  /** MSH-15: when the sender wants CA, CE or CR. */
  readonly accept: AnswerCondition
  /** MSH-16: when the sender wants AA, AE or AR. */
  readonly application: AnswerCondition
}

export function acknowledgementMode(message: Message): AcknowledgementMode {
  const accept = conditionOf(message.getText('MSH-15'))
  const application = conditionOf(message.getText('MSH-16'))
  if (accept === undefined && application === undefined) return { mode: 'original', accept: 'NE', application: 'AL' }
  // HL7 chapter 2: in enhanced mode an empty field means that no such answer is wanted.
  return { mode: 'enhanced', accept: accept ?? 'NE', application: application ?? 'NE' }
}

/** Whether a sender with that condition wants an answer with that code. */
export function wantsAnswer(condition: AnswerCondition, code: AckCode): boolean {
  const isSuccess = code === 'AA' || code === 'CA'
  return condition === 'AL' || condition === (isSuccess ? 'SU' : 'ER')
}

/** The accept code that goes with an application code. */
export function acceptCode(code: AckCode): 'CA' | 'CE' | 'CR' {
  if (code.endsWith('A')) return 'CA'
  return code.endsWith('E') ? 'CE' : 'CR'
}

function conditionOf(text: string | undefined): AnswerCondition | undefined {
  return conditions.find((condition) => condition === text?.toUpperCase())
}

const conditions = ['AL', 'NE', 'ER', 'SU'] as const
