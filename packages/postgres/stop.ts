import { type Clock, systemClock } from '../clock/clock.ts'
import type { Log } from '../log/log.ts'
import { processState } from './process-state.ts'
import { sendSignal } from './signals.ts'

/** Fast shutdown first (open transactions are rolled back, all is written), then without a checkpoint, then by force. */
const steps = [
  { signal: 'SIGINT', waitMs: 6_000 },
  { signal: 'SIGQUIT', waitMs: 2_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
] as const

/** Resolves when the server is gone. A process that took over its id is never signalled. */
export async function stopServer(pid: number, cluster: string, deps: { log: Log; clock?: Clock }): Promise<void> {
  const { log, clock = systemClock } = deps
  for (const { signal, waitMs } of steps) {
    if ((await processState(pid, cluster)) !== 'postgres') return
    log.info('postgres.stopping', { pid, signal })
    await sendSignal(pid, signal)
    const began = clock.monotonicMs()
    while (clock.monotonicMs() - began < waitMs) {
      if ((await processState(pid, cluster)) !== 'postgres') return
      await clock.sleep(pollMs)
    }
  }
  log.error('postgres.not-stopped', { pid })
}

const pollMs = 10
