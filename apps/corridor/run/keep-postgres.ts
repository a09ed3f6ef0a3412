import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import { ensurePostgres, type EmbeddedPostgres } from '../../../packages/postgres/ensure.ts'
import { layoutOf } from '../../../packages/postgres/layout.ts'
import { processState } from '../../../packages/postgres/process-state.ts'
import type { Life } from '../life.ts'

const lookEveryMs = 1_000

/**
 * The embedded PostgreSQL for the whole life of this process. One that dies under us (the kernel short of memory, an
 * operator's slip) is brought back on the same port: it recovers what was committed, and the pool connects again.
 */
export async function keepPostgres(
  dataDir: string,
  deps: { readonly life: Life; readonly log: Log; readonly clock: Clock; readonly onProgress: (text: string) => void },
): Promise<EmbeddedPostgres> {
  const { life, log, clock, onProgress } = deps
  const first = await ensurePostgres({ dataDir, log, clock, onProgress })
  const ended = new AbortController()
  let current = first
  const { cluster } = layoutOf(dataDir)
  const keeping = (async () => {
    for (;;) {
      await clock.sleep(lookEveryMs, ended.signal).catch(() => {})
      if (ended.signal.aborted) return
      if ((await processState(current.pid, cluster)) !== 'gone') continue
      log.error('postgres died and is started again', { pid: current.pid })
      try {
        current = await ensurePostgres({ dataDir, log, clock })
      } catch (thrown) {
        log.error('postgres could not be started again', { error: faultOf(thrown).message })
      }
    }
  })()
  life.started('embedded PostgreSQL', async () => {
    ended.abort()
    await keeping
    await current.stop()
  })
  return first
}
