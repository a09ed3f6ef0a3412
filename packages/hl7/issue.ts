/** HL7 table 0357, message error condition codes. */
export const errorTexts = {
  '0': 'Message accepted',
  '100': 'Segment sequence error',
  '101': 'Required field missing',
  '102': 'Data type error',
  '103': 'Table value not found',
  '104': 'Value too long',
  '198': 'Non-conformant cardinality',
  '199': 'Other HL7 error',
  '200': 'Unsupported message type',
  '201': 'Unsupported event code',
  '202': 'Unsupported processing id',
  '203': 'Unsupported version id',
  '204': 'Unknown key identifier',
  '205': 'Duplicate key identifier',
  '206': 'Application record locked',
  '207': 'Application internal error',
} as const

export type ErrorCode = keyof typeof errorTexts

/** HL7 table 0516: error, warning, information, fatal. */
export type Severity = 'E' | 'W' | 'I' | 'F'

/** Where something is wrong, in the numbers of ERR-2: everything counts from 1. */
export interface Location {
  readonly segment: string
  readonly sequence?: number
  readonly field?: number
  readonly repetition?: number
  readonly component?: number
  readonly subcomponent?: number
}

/** An escape sequence was kept as it was sent, or its bytes mean nothing in the character set and were guessed. */
export type EscapeFlag = 'kept-escape' | 'guessed-bytes'
/** The set itself was guessed, or some bytes mean nothing in it. */
export type FlagKind = 'character-set' | EscapeFlag

/** One thing that is wrong with a message. The texts reach the sender: no patient data in them. */
export interface Issue {
  readonly code: ErrorCode
  readonly severity: Severity
  readonly text: string
  readonly location?: Location
  /** Why it is worth a flag on a message that was read all the same. */
  readonly kind?: FlagKind
  /** ERR-5: the receiver's own, finer code. */
  readonly applicationCode?: { readonly code: string; readonly text?: string; readonly system?: string }
  /** ERR-7: for the sender's engineers. */
  readonly diagnostics?: string
}

/** `MSH-18`, `OBX[2]-5[0].1`: the location as a path of this package, where occurrence and repetition count from 0. */
export function pathOf({ segment, sequence, field, repetition, component, subcomponent }: Location): string {
  const occurrence = sequence === undefined || sequence === 1 ? '' : `[${sequence - 1}]`
  if (field === undefined) return `${segment}${occurrence}`
  const repeated = repetition === undefined ? '' : `[${repetition - 1}]`
  const inner = [component, subcomponent].filter((part) => part !== undefined).map((part) => `.${part}`)
  return `${segment}${occurrence}-${field}${repeated}${inner.join('')}`
}
