import type { Hl7Sender } from '../../packages/testkit/hl7-sender.ts'

/** A message that is not taken is no figure. */
export async function sendOne(sender: Hl7Sender, message: string): Promise<void> {
  const { ackCode, text } = await sender.send(message, { deadlineMs: answerMs })
  if (ackCode !== 'AA') throw new Error(`answered ${ackCode}: ${text}`)
}

/** A busy machine is slow, and that is a figure too. */
export const answerMs = 60_000
