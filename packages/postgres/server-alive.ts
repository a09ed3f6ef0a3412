import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock/clock.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import { processState } from './process-state.ts'

/** Whether a server, ready or not, runs on the cluster. The mark of one that does not is removed on the way. */
export async function isServerAlive(cluster: string, clock: Clock): Promise<boolean> {
  const written = await readPostmasterPid(cluster)
  if (written === undefined) return false
  const mark = join(cluster, 'postmaster.pid')
  if (written === 'unreadable') {
    if (await isJustMade(mark, clock)) return true
  } else if ((await processState(written.pid, cluster)) === 'postgres') {
    return true
  }
  // PostgreSQL itself would stop here for a reused process id, a zombie or an empty file. Removing the mark is safe:
  // should a process of the dead server survive, the new server finds its shared memory in use and does not start.
  await rm(mark, { force: true })
  return false
}

const justMadeMs = 500

/** A server makes the file and then writes it; one that stays empty was cut off by a power failure. */
async function isJustMade(mark: string, clock: Clock): Promise<boolean> {
  const found = await stat(mark).catch(() => undefined)
  return found !== undefined && Math.abs(clock.now().getTime() - found.mtimeMs) < justMadeMs
}
