import { unprocessable } from '../faults/fault.ts'

export interface Hl7Answer {
  /** The answer between VT and FS, byte for byte. */
  readonly raw: Buffer
  /** MSA-1: AA, AE, AR or, in enhanced mode, CA, CE, CR. */
  readonly ackCode: string
  /** MSA-2: the control id of the message that is answered. */
  readonly controlId: string
  /** MSA-3. */
  readonly text: string
  /** ERR segments as they came. */
  readonly errors: readonly string[]
}

/** Reads what a sender looks at. It knows nothing of the bridge's own parser, so that it can bear witness against it. */
export function readHl7Answer(raw: Buffer): Hl7Answer {
  const segments = raw.toString('utf8').split('\r')
  const header = segments[0] ?? ''
  if (!header.startsWith('MSH') || header.length < 8) throw unprocessable('The answer does not begin with a whole MSH')
  if (segments.at(-1) !== '') throw unprocessable('The last segment of the answer does not end in CR')
  const separator = header.charAt(3)
  const acknowledgement = segments.find((segment) => segment.startsWith(`MSA${separator}`))
  if (acknowledgement === undefined) throw unprocessable('The answer has no MSA segment')
  const [, ackCode = '', controlId = '', text = ''] = acknowledgement.split(separator)
  const errors = segments.filter((segment) => segment.startsWith(`ERR${separator}`))
  return { raw, ackCode, controlId, text, errors }
}
