import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layoutOf } from '../../../packages/postgres/layout.ts'

/** The postmaster of the data directory, and the processes it has started. Empty when none runs. */
export async function postgresProcesses(dataDir: string): Promise<number[]> {
  const pidFile = await readFile(join(layoutOf(dataDir).cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const postmaster = Number(pidFile.split('\n')[0])
  if (!(postmaster > 1)) return []
  // Every child has a process group of its own, so the group of the postmaster does not reach them.
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(() => '')
  return [
    postmaster,
    ...children
      .split(' ')
      .map(Number)
      .filter((pid) => pid > 1),
  ]
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // It has ended by itself meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}
