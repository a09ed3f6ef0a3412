import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../files/error-code.ts'

/** What a running PostgreSQL says about itself in its cluster's `postmaster.pid`. */
interface PostmasterPid {
  readonly pid: number
  readonly port: number | undefined
  readonly isReady: boolean
}

/** @returns undefined when there is no such file, 'unreadable' when there is one that names no process */
export async function readPostmasterPid(cluster: string): Promise<PostmasterPid | 'unreadable' | undefined> {
  try {
    return parsePostmasterPid(await readFile(join(cluster, 'postmaster.pid'), 'utf8')) ?? 'unreadable'
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** The lines are: pid, data directory, start time, port, socket directory, address, shared memory, state. */
export function parsePostmasterPid(text: string): PostmasterPid | undefined {
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  const port = Number(lines[3])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return {
    pid,
    port: Number.isInteger(port) && port > 0 ? port : undefined,
    isReady: lines[7] === 'ready',
  }
}
