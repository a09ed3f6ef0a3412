import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { unavailable } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import { connectToRunning, type RunningServer } from './adopt.ts'
import type { Binaries } from './binaries.ts'
import { diskFull } from './data-dir.ts'
import type { Layout } from './layout.ts'
import { choosePort } from './port.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import { processState } from './process-state.ts'
import type { RunAs } from './run-as.ts'
import { writeSettings } from './settings.ts'
import { startServer, type StartedServer } from './start.ts'

export interface BringUpOptions {
  readonly password: string
  readonly durable: boolean
  readonly port: number | undefined
  readonly binaries: Binaries
  readonly runAs: RunAs
}

export interface BringUpDeps {
  readonly log: Log
  readonly clock: Clock
  readonly onProgress: (text: string) => void
}

/**
 * Starts the server and waits until it takes connections, whatever an earlier one left behind: one that is still
 * starting or stopping is waited for, the mark of a dead one is removed, a port that was lost is replaced.
 */
export async function bringUp(layout: Layout, options: BringUpOptions, deps: BringUpDeps): Promise<RunningServer> {
  const { log, clock, onProgress } = deps
  const began = clock.monotonicMs()
  const waitedMs = () => clock.monotonicMs() - began
  let started: StartedServer | undefined
  let startsLeft = startsMax
  let isSlowSaid = false
  while (waitedMs() < waitMsMax) {
    const running = await connectToRunning(layout.cluster, options.password)
    if (running !== undefined) return running
    if (!(await isAlive(layout.cluster)) && (started === undefined || (await started.ended()) !== undefined)) {
      const words = await started?.ended()
      if (words !== undefined) log.warn('postgres.start-failed', { error: words })
      if (words !== undefined && !isWorthAnotherStart(words)) throw notStarted(layout, words)
      if (startsLeft-- === 0) throw notStarted(layout, words)
      const port = await choosePort(layout, options.port)
      await writeSettings(layout, options.runAs, { port, durable: options.durable })
      started = await startServer(layout, options.binaries, options.runAs)
      log.info('postgres.starting', { port })
    }
    if (waitedMs() > 1_000 && !isSlowSaid) {
      isSlowSaid = true
      onProgress('PostgreSQL is starting; after a crash it first recovers what was written')
    }
    await clock.sleep(pollMs)
  }
  throw notStarted(layout, undefined)
}

const pollMs = 15
/** Recovery replays up to max_wal_size (2 GB) of changes, which a slow disk takes minutes for. */
const waitMsMax = 300_000
/** Surviving processes of a killed server hold its shared memory for a moment, so a few starts in a row may fail. */
const startsMax = 100

/** Whether a server, ready or not, runs on the cluster. The mark of one that does not is removed on the way. */
async function isAlive(cluster: string): Promise<boolean> {
  const written = await readPostmasterPid(cluster)
  if (written === undefined) return false
  if (written !== 'unreadable' && (await processState(written.pid, cluster)) === 'postgres') return true
  // PostgreSQL itself would stop here for a reused process id, a zombie or an empty file. Removing the mark is safe:
  // should a process of the dead server survive, the new server finds its shared memory in use and does not start.
  await rm(join(cluster, 'postmaster.pid'), { force: true })
  return false
}

function isWorthAnotherStart(words: string): boolean {
  return /could not bind|could not create any TCP|Address already in use|still in use|lock file .* (already exists|is empty)/i.test(
    words,
  )
}

function notStarted(layout: Layout, words: string | undefined) {
  if (words !== undefined && /no space left on device/i.test(words)) return diskFull(layout.dataDir, words)
  return unavailable(`The embedded PostgreSQL did not start. ${layout.log} says why.`, {
    code: 'POSTGRES_NOT_STARTED',
    ...(words !== undefined && { logged: words }),
  })
}
