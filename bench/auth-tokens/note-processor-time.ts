import { cpus } from 'node:os'
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

/** Runs a round and notes what each of its answers cost the server, PostgreSQL and the load, and what was left unused. */
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
  const coresBefore = coreTimes()
  const begun = process.cpuUsage()
  const figure = await run({ ...round, record })
  // Before the others are looked at: looking costs something too.
  const { user, system } = process.cpuUsage(begun)
  const cores = coreTimes()
  const after = await spentBy(processes)
  for (const [what, afterMs] of Object.entries(after)) {
    const beforeMs = before[what]
    if (afterMs !== undefined && beforeMs !== undefined) round.note(`${what} CPU ms`, (afterMs - beforeMs) / answers)
  }
  round.note('load CPU ms', (user + system) / 1_000 / answers)
  round.note('idle cores %', ((cores.idleMs - coresBefore.idleMs) / (cores.allMs - coresBefore.allMs)) * 100)
  return figure
}

/** Of all cores together since the machine was started, whoever used them. */
function coreTimes(): { readonly idleMs: number; readonly allMs: number } {
  const times = cpus().map((core) => core.times)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return { idleMs: sum(times.map(({ idle }) => idle)), allMs: sum(times.flatMap((core) => Object.values(core))) }
}

/** Undefined is what this machine does not tell. */
async function spentBy({ serverPid, postmasterPid }: Processes): Promise<Record<string, number | undefined>> {
  return { Node: await processorMs(serverPid), PostgreSQL: await familyProcessorMs(postmasterPid) }
}
