import type { ImmunizationDeps } from './deps.ts'
import { sweep } from './store/sweep.ts'

const everyMs = 60_000
const sweepEvery = 10

/** Every minute takes up keys that other copies made and makes one that is due, every ten clears away what has expired. */
export function keepUp({
  database,
  clock,
  log,
  certificateKeys,
}: Pick<ImmunizationDeps, 'database' | 'clock' | 'log' | 'certificateKeys'>) {
  const ended = new AbortController()
  const running = (async () => {
    for (let minute = 1; ; minute++) {
      await clock.sleep(everyMs, ended.signal).catch(() => {})
      if (ended.signal.aborted) return
      try {
        await certificateKeys.reload()
        await certificateKeys.rotateByAge()
        await certificateKeys.check()
        if (minute % sweepEvery === 0) await sweep(clock.now(), database)
      } catch (error) {
        log.warn('upkeep failed', { error: error instanceof Error ? error.name : 'unknown' })
      }
    }
  })()
  return {
    async end(): Promise<void> {
      ended.abort()
      await running
    },
  }
}
