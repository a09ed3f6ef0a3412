import { readFile } from 'node:fs/promises'
import { inject } from 'vitest'
import { systemClock, type Clock } from '../clock/clock.ts'
import { keyFile, writeKey } from '../keys/key-files.ts'
import { openKeyStore } from '../keys/key-store.ts'
import { silentLog } from '../log/log.ts'
import { keysOfTheRun } from './keys-of-the-run.ts'
import './vitest/provided.ts'

/**
 * Puts the signing key of this run into a directory that has none, current from now on. Making one costs 400 ms of a
 * core, more than all the rest of a start.
 */
export async function putSigningKey(directory: string, clock: Clock): Promise<void> {
  const ofTheRun = keysOfTheRun(inject('postgresRun'))
  await openKeyStore({ directory: ofTheRun, clock: systemClock, log: silentLog })
  const key: unknown = JSON.parse(await readFile(keyFile(ofTheRun, 1), 'utf8'))
  await writeKey(directory, 1, JSON.stringify({ ...Object(key), currentFrom: clock.now().toISOString() }))
}
