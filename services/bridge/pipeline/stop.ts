import { faultOf } from '../../../packages/faults/fault.ts'
import type { ErrorCode, Issue, Location } from '../../../packages/hl7/index.ts'
import type { ConsentRefusal, Failed, Known, Parked } from './outcome.ts'
import { noAnswer, wasAsked } from './no-answer.ts'
import type { Stage } from './stage.ts'

/** Why a message goes no further than this stage. */
export type Stop = Nack | Park

export type Nack = Omit<Failed, keyof Known> & {
  /** The stage that it failed in, where another one found out. */
  readonly stage?: Stage
}

export type Park = Omit<Parked, keyof Known>

export const isStop = (value: object): value is Stop => 'status' in value && 'errorCode' in value

export interface NackOptions {
  readonly code: 'AE' | 'AR'
  /** Of table 0357; an error of ours unless said. */
  readonly hl7Code?: ErrorCode
  readonly location?: Location
  readonly stage?: Stage
  readonly refusal?: ConsentRefusal | undefined
}

/** @param errorMessage goes to the sender: no patient data. */
export function nack(errorCode: string, errorMessage: string, options: NackOptions): Nack {
  const { code, hl7Code = '207', location, stage, refusal } = options
  const issue: Issue = {
    code: hl7Code,
    severity: 'E',
    text: errorMessage,
    applicationCode: { code: errorCode },
    ...(location === undefined ? {} : { location }),
  }
  const where = stage === undefined ? {} : { stage }
  const why = refusal === undefined ? {} : { refusal }
  return { status: 'ERROR', code, errorCode, errorMessage, issues: [issue], ...where, ...why }
}

/**
 * Of a dependency that gave no answer.
 * @param othersAsked other questions of the message were let through by the circuit
 */
export function unanswered(errorCode: string, who: string, thrown: unknown, othersAsked = false): Nack {
  const fault = faultOf(thrown)
  const { retryAfterSeconds } = fault
  const text = noAnswer(who, fault)
  return {
    ...nack(errorCode, `${text} Send the message again later.`, { code: 'AE' }),
    later: {
      errorMessage: text,
      wasCalled: wasAsked(fault, othersAsked),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterMs: retryAfterSeconds * 1_000 }),
    },
  }
}

/** What the mapping refused, as the sender hears it: what will never be taken is AR, what is wrong inside is AE. */
export function refusedByMapping(issues: readonly Issue[]): Nack {
  const [first] = issues
  const errorCode = first?.applicationCode?.code ?? errorCodes[first?.code ?? '199'] ?? 'INVALID_MESSAGE'
  return {
    status: 'ERROR',
    stage: 'TRANSFORM',
    code: issues.some(({ code }) => unsupported.has(code)) ? 'AR' : 'AE',
    errorCode,
    errorMessage: first?.text ?? 'The message cannot be mapped.',
    issues: issues.map((issue) => ({ applicationCode: { code: errorCode }, ...issue })),
  }
}

const unsupported: ReadonlySet<ErrorCode> = new Set(['200', '201', '202', '203'])

const errorCodes: Readonly<Partial<Record<ErrorCode, string>>> = {
  '100': 'SEGMENT_MISSING',
  '101': 'FIELD_MISSING',
  '102': 'BAD_VALUE',
  '103': 'UNMAPPED_CODE',
  '104': 'VALUE_TOO_LONG',
  '200': 'UNSUPPORTED_TYPE',
  '201': 'UNSUPPORTED_EVENT',
  '202': 'UNSUPPORTED_PROCESSING_ID',
  '203': 'UNSUPPORTED_VERSION',
}
