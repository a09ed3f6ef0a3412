import { assert } from '../../packages/faults/fault.ts'
import { layoutOf } from '../../packages/postgres/layout.ts'
import { readPostmasterPid } from '../../packages/postgres/postmaster-pid.ts'
import { familyProcessorMs, processorMs } from '../bridge/processor-time.ts'
import type { Round } from '../harness/benchmark.ts'

/** The processes that share the machine while tokens are asked for. */
export interface Processes {
  readonly serverPid: number
  readonly postmasterPid: number
}

export async function postmasterIn(dataDir: string): Promise<number> {
  const postmaster = await readPostmasterPid(layoutOf(dataDir).cluster)
  assert(typeof postmaster === 'object', 'the database of the benchmark is running')
  return postmaster.pid
}

/** Runs a round and notes what each of its answers cost the server, PostgreSQL and the load. */
export async function noteProcessorTime(
  round: Round,
  processes: Processes,
  run: (round: Round) => Promise<number>,
): Promise<number> {
  let answers = 0
  const record = (latencyMs: number) => {
    answers++
    round.record(latencyMs)
  }
  const before = await spentBy(processes)
  const begun = process.cpuUsage()
  const figure = await run({ ...round, record })
  // Before the others are looked at: looking costs something too.
  const { user, system } = process.cpuUsage(begun)
  const after = await spentBy(processes)
  for (const [what, afterMs] of Object.entries(after)) {
    const beforeMs = before[what]
    if (afterMs !== undefined && beforeMs !== undefined) round.note(`${what} CPU ms`, (afterMs - beforeMs) / answers)
  }
  round.note('load CPU ms', (user + system) / 1_000 / answers)
  return figure
}

/** Undefined is what this machine does not tell. */
async function spentBy({ serverPid, postmasterPid }: Processes): Promise<Record<string, number | undefined>> {
  return { Node: await processorMs(serverPid), PostgreSQL: await familyProcessorMs(postmasterPid) }
}
