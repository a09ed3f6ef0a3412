import type { Round } from '../harness/benchmark.ts'
import { repeat } from '../harness/repeat.ts'
import type { RunningCorridor } from './running-corridor.ts'

/** Admissions of known patients, or of somebody new each time. */
export const sendAdmissions = (
  corridor: RunningCorridor,
  round: Round,
  connections: number,
  { isNew = false } = {},
): Promise<number> => sendMessages(corridor, round, 'adt', connections, () => corridor.admission({ isNew }))

/** Each worker has a connection of its own: the next message goes out when the last one is answered. */
export async function sendMessages(
  corridor: RunningCorridor,
  round: Round,
  channel: 'adt' | 'oru',
  connections: number,
  next: () => string,
): Promise<number> {
  const senders = await corridor.senders(channel, connections)
  const free = [...senders]
  const rate = await repeat(round, connections, async () => {
    const sender = free.pop()
    await take(sender?.send(next()))
    if (sender !== undefined) free.push(sender)
  })
  await Promise.all(senders.map((sender) => sender.close()))
  return rate
}

/** A message that is not taken is no figure. */
async function take(answer: Promise<{ readonly ackCode: string; readonly text: string }> | undefined): Promise<void> {
  const given = await answer
  if (given?.ackCode !== 'AA') throw new Error(`answered ${given?.ackCode}: ${given?.text}`)
}
