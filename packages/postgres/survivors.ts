import { readdir, readFile, readlink, realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { sendSignal } from './signals.ts'

/**
 * Ends what is left of a server whose first process was killed. Its processes notice that when they next wait; one in
 * the middle of a long computation does not wait, holds the shared memory, and keeps a new server from starting.
 * Only Linux shows which folder a process works in; elsewhere the new start waits for them to end.
 */
export async function endSurvivors(cluster: string): Promise<void> {
  if (process.platform !== 'linux') return
  const folder = await realpath(cluster)
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await isServerProcess(name, folder))) await sendSignal(Number(name), 'SIGKILL')
  }
}

async function isServerProcess(pid: string, folder: string): Promise<boolean> {
  try {
    if ((await readlink(`/proc/${pid}/cwd`)) !== folder) return false
    // Server processes write what they do in the place of their command line: `postgres: corridor corridor …`.
    return /^postgres(:|$)/.test(basename((await readFile(`/proc/${pid}/cmdline`, 'utf8')).split(/[\0 ]/)[0] ?? ''))
  } catch {
    // It ended while we looked, or it belongs to another user.
    return false
  }
}
