import type { Clock } from '../../../packages/clock/clock.ts'
import { every } from '../../../packages/clock/every.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import { ensurePostgres, type EmbeddedPostgres } from '../../../packages/postgres/ensure.ts'
import { layoutOf } from '../../../packages/postgres/layout.ts'
import { processState } from '../../../packages/postgres/process-state.ts'
import type { Life } from '../life.ts'

const lookEveryMs = 1_000

interface KeptSettings {
  readonly dataDir: string
  readonly database: { readonly poolMax: number }
}

/**
 * The embedded PostgreSQL for the whole life of this process. One that dies under us (the kernel short of memory, an
 * operator's slip) is brought back on the same port: it recovers what was committed, and the pool connects again.
 */
export async function keepPostgres(
  { dataDir, database: { poolMax } }: KeptSettings,
  deps: {
    readonly life: Life
    readonly log: Log
    readonly clock: Clock
    readonly stop?: AbortSignal | undefined
    readonly onProgress: (text: string) => void
  },
): Promise<EmbeddedPostgres> {
  const { life, log, clock, stop, onProgress } = deps
  const first = await ensurePostgres({ dataDir, poolMax, log, clock, stop, onProgress })
  // The pool knows this port and no other: while somebody else has it, the next look tries again.
  const port = Number(new URL(first.url).port)
  let current = first
  const { cluster } = layoutOf(dataDir)
  const look = async (signal: AbortSignal) => {
    // Its id may be another program's by now.
    if ((await processState(current.pid, cluster)) === 'postgres') return
    log.error('postgres died and is started again', { pid: current.pid })
    try {
      // Recovery may take minutes, and whoever stops Corridor does not wait for it.
      current = await ensurePostgres({ dataDir, poolMax, log, clock, port, stop: signal })
    } catch (thrown) {
      if (signal.aborted) return
      log.error('postgres could not be started again', { error: faultOf(thrown).message })
    }
  }
  const keeping = every(lookEveryMs, { work: look, failed: 'postgres could not be looked at' }, { clock, log })
  life.started('embedded PostgreSQL', async () => {
    await keeping.end()
    await current.stop()
  })
  return first
}
