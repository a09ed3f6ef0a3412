import type { Round } from '../harness/benchmark.ts'
import { repeat } from '../harness/repeat.ts'
import type { RunningCorridor } from './running-corridor.ts'
import { sendOne } from './send-one.ts'

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
