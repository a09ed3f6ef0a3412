import { existsSync } from 'node:fs'
import type { Clock } from '../../../packages/clock/clock.ts'
import { every } from '../../../packages/clock/every.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import type { HealthPart } from '../../../packages/http/health.ts'
import { readKeys } from '../../../packages/keys/key-files.ts'
import { openKeyStore, type KeyStore } from '../../../packages/keys/key-store.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Life } from '../life.ts'

/** A wrong key is found in a moment, before a database is made; where there is none yet, none is made yet either. */
export async function checkKeys(directory: string): Promise<void> {
  if (existsSync(directory)) await readKeys(directory)
}

interface OpenedKeys {
  readonly keys: KeyStore
  /** Whether the keys in use are those of the directory: a key that was withdrawn there may sign here otherwise. */
  readonly health: HealthPart
}

interface OpenKeysDeps {
  readonly clock: Clock
  readonly log: Log
  readonly life: Pick<Life, 'started'>
  /** By what moment files of keys whose time is over are deleted for good. */
  readonly deletesAt: () => Promise<Date>
}

/** Copies share the directory: what another one, or a command, changed there is taken up within seconds. */
export async function openKeys(directory: string, { clock, log, life, deletesAt }: OpenKeysDeps): Promise<OpenedKeys> {
  const keys = await openKeyStore({ directory, clock, log, deletesAt })
  let wrong: string | undefined
  const reload = async () => {
    const found = await keys.reload().then(() => undefined, faultOf)
    // Once for each reason, and not every five seconds for as long as it holds.
    if (found !== undefined && found.message !== wrong) log.error('keys not reloaded', { error: found.message })
    if (found === undefined && wrong !== undefined) log.info('keys reloaded again')
    wrong = found?.message
  }
  const reloading = every(reloadKeysEveryMs, { work: reload, failed: 'keys not reloaded' }, { clock, log })
  life.started('signing keys', reloading.end)
  return {
    keys,
    health: async () => (wrong === undefined ? { status: 'UP' } : { status: 'DOWN', details: { error: wrong } }),
  }
}

/** As long as a revoked token is taken at most: a key that was stolen should not serve for longer. */
const reloadKeysEveryMs = 5_000
