import type { Hl7Sender } from '../../packages/testkit/hl7-sender.ts'
import type { Round } from '../harness/benchmark.ts'
import { repeat } from '../harness/repeat.ts'
import type { RunningCorridor } from './running-corridor.ts'

/** So many connections of one channel, and what is sent over them. */
export interface Lines {
  readonly channel: 'adt' | 'oru'
  readonly connections: number
  readonly next: () => string
}

/** Admissions of known patients, or of somebody new each time. */
export const admissions = ({ messages }: RunningCorridor, connections: number, who = { isNew: false }): Lines => ({
  channel: 'adt',
  connections,
  next: () => messages.admission(who),
})

/** Known patients of whom nothing is new. */
export const repetitions = ({ messages }: RunningCorridor, connections: number): Lines => ({
  channel: 'adt',
  connections,
  next: () => messages.repetition(),
})

export const results = ({ messages }: RunningCorridor, connections: number): Lines => ({
  channel: 'oru',
  connections,
  next: () => messages.results(),
})

/** On each connection the next message goes out when the last one is answered. Gives messages a second. */
export async function sendMessages(corridor: RunningCorridor, round: Round, lines: readonly Lines[]): Promise<number> {
  const opened = await Promise.all(
    lines.map(async ({ channel, connections, next }) => {
      const senders = await corridor.senders(channel, connections)
      return senders.map((sender) => ({ sender, next }))
    }),
  )
  const all = opened.flat()
  const free = [...all]
  const rate = await repeat(round, all.length, async () => {
    const line = free.pop()
    if (line === undefined) return
    await sendOne(line.sender, line.next())
    free.push(line)
  })
  await Promise.all(all.map(({ sender }) => sender.close()))
  return rate
}

/** A message that is not taken is no figure. */
export async function sendOne(sender: Hl7Sender, message: string): Promise<void> {
  const { ackCode, text } = await sender.send(message, { deadlineMs: answerMs })
  if (ackCode !== 'AA') throw new Error(`answered ${ackCode}: ${text}`)
}

/** A busy machine is slow, and that is a figure too. */
export const answerMs = 60_000
