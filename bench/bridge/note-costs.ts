import type { Round } from '../harness/benchmark.ts'
import { afterWork } from './after-work.ts'
import { databaseWork, type DatabaseWork } from './database-work.ts'
import { messageTimes, type MessageTimes } from './message-times.ts'
import { familyProcessorMs, processorMs } from './processor-time.ts'
import type { RunningCorridor } from './running-corridor.ts'

/** Sends, and notes what each message cost and how long each stage took. */
export async function noteCosts(
  corridor: RunningCorridor,
  round: Round,
  send: (round: Round) => Promise<number>,
): Promise<number> {
  const before = await spentBy(corridor)
  const rate = await send(round)
  const afterSeconds = await afterWork(corridor.database, round.clock)
  // A session of PostgreSQL tells its counts with its first transaction a second after it told them last.
  await round.clock.sleep(tellMs)
  await send({ ...round, seconds: tellingSeconds, record: () => {} })
  const after = await spentBy(corridor)
  noteSpent(round, before, after)
  round.note('after-work s', afterSeconds)
  round.note('whole ms', (after.times.wholeMs - before.times.wholeMs) / (after.times.messages - before.times.messages))
  return rate
}

const tellMs = 1_100
const tellingSeconds = 0.3

/** What a Corridor has used since it was started. Undefined is what this machine does not tell. */
interface Spent {
  readonly work: DatabaseWork
  readonly nodeMs: number | undefined
  readonly postgresMs: number | undefined
  readonly times: MessageTimes
}

export const spentBy = async (corridor: RunningCorridor): Promise<Spent> => ({
  work: await databaseWork(corridor.database),
  nodeMs: await processorMs(corridor.child.pid),
  postgresMs: await familyProcessorMs(corridor.postmasterPid),
  times: await messageTimes(corridor.url('bridge')),
})

/** What was used between two looks, by message. */
export function noteSpent(round: Pick<Round, 'note'>, before: Spent, after: Spent): void {
  const messages = after.times.messages - before.times.messages
  const each = (what: string, valueOf: (spent: Spent) => number | null | undefined) => {
    const [now, then] = [valueOf(after), valueOf(before)]
    if (typeof now === 'number' && typeof then === 'number') round.note(what, (now - then) / messages)
  }
  each('commits', ({ work }) => work.commits)
  each('transactions', ({ work }) => work.transactions)
  each('syncs', ({ work }) => work.syncs)
  each('WAL KB', ({ work }) => work.walBytes / 1_024)
  each('Node CPU ms', ({ nodeMs }) => nodeMs)
  each('PostgreSQL CPU ms', ({ postgresMs }) => postgresMs)
  for (const stage of Object.keys(after.times.stageMs)) each(`${stage} ms`, ({ times }) => times.stageMs[stage] ?? 0)
}
