import type { AckCode } from './acknowledge.ts'
import type { Message } from './message.ts'
import type { Part } from './part.ts'

export interface Acknowledgement {
  readonly code: AckCode
  /** MSA-2, the control id of the message that is answered, as it was sent. */
  readonly controlId: string
  readonly text: string | undefined
  readonly errors: readonly AcknowledgedError[]
}

export interface AcknowledgedError {
  readonly code: string | undefined
  /** ERR-5, the receiver's own and finer code. */
  readonly applicationCode: string | undefined
  /** ERR-2, or its like before 2.5, as it was sent: `MFE^2^4`. */
  readonly place: string | undefined
  readonly text: string | undefined
}

/** What an answer says; undefined when it holds no MSA with a code of table 0008. */
export function readAcknowledgement(answer: Message): Acknowledgement | undefined {
  const msa = answer.segment('MSA')
  const code = ackCodes.find((known) => known === msa?.text(1)?.toUpperCase())
  if (msa === undefined || code === undefined) return undefined
  const errors = answer.segments('ERR').flatMap((err) => {
    const isNewForm = err.rawField(3) !== undefined
    if (!isNewForm) return err.repetitions(1).map(oldForm)
    const text = err.text(8) ?? err.text(7) ?? err.text(3, 2)
    return [{ code: err.text(3), applicationCode: err.text(5), place: err.rawField(2) || undefined, text }]
  })
  return { code, controlId: msa.rawField(2) ?? '', text: msa.text(3), errors }
}

const oldForm = (error: Part): AcknowledgedError => ({
  ...{ code: error.text(4, 1), applicationCode: undefined, text: error.text(4, 2) },
  place: [1, 2, 3].flatMap((component) => error.text(component) ?? []).join('^') || undefined,
})

/** A late answer to an earlier message must never count as the answer to this one. */
export function isAnswerTo(answer: Message, request: Message): boolean {
  const controlId = readAcknowledgement(answer)?.controlId
  const asked = request.segment('MSH')?.rawField(10) ?? ''
  // A receiver that could not read the header answers without a control id: that is an answer to what came last.
  return controlId === asked || controlId === ''
}

const ackCodes = ['AA', 'AE', 'AR', 'CA', 'CE', 'CR'] as const
