import type { Clock } from '../clock/clock.ts'
import { unavailable } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import { connectToRunning, type RunningServer } from './adopt.ts'
import type { Binaries } from './binaries.ts'
import { diskFull } from './data-dir.ts'
import type { Layout } from './layout.ts'
import { choosePort } from './port.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import type { RunAs } from './run-as.ts'
import { writeSettings } from './settings.ts'
import { isServerAlive } from './server-alive.ts'
import { startServer, type StartedServer } from './start.ts'
import { stopServer } from './stop.ts'
import { endSurvivors } from './survivors.ts'

interface BringUpOptions {
  readonly password: string
  readonly durable: boolean
  readonly port: number | undefined
  readonly poolMax: number | undefined
  readonly binaries: Binaries
  readonly runAs: RunAs
}

interface BringUpDeps {
  readonly log: Log
  readonly clock: Clock
  readonly stop?: AbortSignal | undefined
  readonly onProgress: (text: string) => void
}

/**
 * Starts the server and waits until it takes connections, whatever an earlier one left behind: one that is still
 * starting or stopping is waited for, the mark of a dead one is removed, a port that was lost is replaced.
 */
export async function bringUp(layout: Layout, options: BringUpOptions, deps: BringUpDeps): Promise<RunningServer> {
  const { clock, stop, onProgress } = deps
  const began = clock.monotonicMs()
  let started: StartedServer | undefined
  let startsLeft = startsMax
  let isSlownessSaid = false
  for (;;) {
    const running = await connectToRunning(layout.cluster, options.password)
    if (running !== undefined) return running
    const lastWords = await started?.ended()
    const isUnderWay = started !== undefined && lastWords === undefined
    const isStopped = stop?.aborted === true
    if (!isUnderWay && !isStopped && !(await isServerAlive(layout.cluster, clock))) {
      if (startsLeft-- === 0) throw notStarted(layout, lastWords)
      if (lastWords !== undefined) await afterFailedStart(layout, lastWords, deps)
      started = await start(layout, options, deps)
    }
    if (stop?.aborted === true) {
      await endStarting(layout, started, deps)
      stop.throwIfAborted()
    }
    const waitedMs = clock.monotonicMs() - began
    if (waitedMs > waitMsMax) throw notStarted(layout, lastWords)
    if (waitedMs > 1_000 && !isSlownessSaid) {
      isSlownessSaid = true
      onProgress('PostgreSQL is starting; after a crash it first recovers what was written')
    }
    await clock.sleep(pollMs)
  }
}

const pollMs = 15
/** Recovery replays up to max_wal_size (2 GB) of changes, which a slow disk takes minutes for. */
const waitMsMax = 300_000
/** Surviving processes of a killed server hold its shared memory for a moment, so a few starts in a row may fail. */
const startsMax = 100

async function start(layout: Layout, options: BringUpOptions, { log }: BringUpDeps): Promise<StartedServer> {
  const port = await choosePort(layout, options.port)
  await writeSettings(layout, options.runAs, { port, durable: options.durable, poolMax: options.poolMax })
  log.info('postgres.starting', { port })
  return startServer(layout, options.binaries, options.runAs)
}

/** Nobody has its address yet, so nobody else would end it: by its own mark, or by the process that we made before it has one. */
async function endStarting(layout: Layout, started: StartedServer | undefined, deps: BringUpDeps): Promise<void> {
  const written = await readPostmasterPid(layout.cluster)
  const marked = written === undefined || written === 'unreadable' ? undefined : written.pid
  for (const pid of new Set([marked, started?.pid])) {
    if (pid !== undefined) await stopServer(pid, layout.cluster, deps)
  }
}

/** @throws Fault when another start would fail like this one */
async function afterFailedStart(layout: Layout, lastWords: string, { log }: BringUpDeps): Promise<void> {
  log.warn('postgres.start-failed', { error: lastWords })
  if (!isWorthAnotherStart(lastWords)) throw notStarted(layout, lastWords)
  if (/still in use/.test(lastWords)) await endSurvivors(layout.cluster)
}

function isWorthAnotherStart(words: string): boolean {
  return /could not bind|could not create any TCP|Address already in use|still in use|lock file .* (already exists|is empty)/i.test(
    words,
  )
}

function notStarted(layout: Layout, words: string | undefined) {
  if (words !== undefined && /no space left on device/i.test(words)) return diskFull(layout.dataDir, words)
  const why = lastReason(words ?? '')
  const says = why === undefined ? `. ${layout.log} says why.` : `: ${why} ${layout.log} says more.`
  return unavailable(`The embedded PostgreSQL did not start${says}`, {
    code: 'POSTGRES_NOT_STARTED',
    ...(words !== undefined && { logged: words }),
  })
}

/** What it gave for its end, with what it advised, as sentences; it says nothing of rows before it takes connections. */
function lastReason(words: string): string | undefined {
  const said = [...words.matchAll(/\b(FATAL|PANIC|DETAIL|HINT): {2}(.+)/g)]
  const from = said.findLastIndex(([, kind]) => kind === 'FATAL' || kind === 'PANIC')
  if (from === -1) return undefined
  return said
    .slice(from)
    .map(([, , text = '']) => (text.endsWith('.') ? text : `${text}.`))
    .join(' ')
}
