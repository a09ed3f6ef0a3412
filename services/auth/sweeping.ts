import type { AuthDeps } from './deps.ts'
import { sweep } from './store/sweep.ts'

const everyMs = 600_000

/** Clears away what has expired, every ten minutes. Copies that do so at the same time do no harm. */
export function keepSweeping({ database, clock, log }: Pick<AuthDeps, 'database' | 'clock' | 'log'>) {
  const ended = new AbortController()
  const sweeping = (async () => {
    for (;;) {
      await clock.sleep(everyMs, ended.signal).catch(() => {})
      if (ended.signal.aborted) return
      try {
        const count = await sweep(clock.now(), database, ended.signal)
        if (count > 0) log.debug('expired rows were removed', { count })
      } catch (error) {
        log.warn('expired rows could not be removed', { error: error instanceof Error ? error.name : 'unknown' })
      }
    }
  })()
  return {
    async end(): Promise<void> {
      ended.abort()
      await sweeping
    },
  }
}
