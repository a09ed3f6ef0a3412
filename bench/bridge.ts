import { RunningCorridor, knownPatients } from './bridge/running-corridor.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { repeat } from './harness/repeat.ts'

/** All seven stages, consent included, on the embedded PostgreSQL with durable settings; both ends on this machine. */
export default benchmark<RunningCorridor>({
  name: 'bridge',
  title: 'messages through all seven stages, from the first byte to the AA, by connections and by what they hold',
  unit: 'messages/s',
  setup: async ({ progress }) => {
    progress('starting a Corridor')
    const corridor = await RunningCorridor.start()
    progress(`admitting ${knownPatients} patients`)
    const senders = await corridor.senders('adt', 16)
    await Promise.all(
      senders.map(async (sender) => {
        for (let done = 0; done < knownPatients / senders.length; done++) {
          await sender.send(corridor.admission({ isNew: false }))
        }
        await sender.close()
      }),
    )
    return corridor
  },
  variants: {
    '1 connection, known patients': (corridor, round) => admissions(corridor, round, 1),
    '8 connections, known patients': (corridor, round) => admissions(corridor, round, 8),
    '32 connections, known patients': (corridor, round) => admissions(corridor, round, 32),
    '64 connections, known patients': (corridor, round) => admissions(corridor, round, 64),
    '32 connections, new patients': (corridor, round) => admissions(corridor, round, 32, { isNew: true }),
    '32 connections, results': (corridor, round) => messages(corridor, round, 'oru', 32, () => corridor.results()),
  },
  rounds: 3,
  seconds: 5,
})

const admissions = (corridor: RunningCorridor, round: Round, connections: number, { isNew = false } = {}) =>
  messages(corridor, round, 'adt', connections, () => corridor.admission({ isNew }))

async function messages(
  corridor: RunningCorridor,
  round: Round,
  channel: 'adt' | 'oru',
  connections: number,
  next: () => string,
): Promise<number> {
  const senders = await corridor.senders(channel, connections)
  // Each worker has a connection of its own: the next message goes out when the last one is answered.
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
