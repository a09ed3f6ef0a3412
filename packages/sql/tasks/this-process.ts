import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Where a copy runs, so that one that starts in the same place can tell whether those before it are still there. */
export interface ProcessIdentity {
  /** The machine, and on Linux its boot and the process namespace: two machines may share a name, not these. */
  readonly place: string
  readonly pid: number
  readonly startedAt: Date
  readonly isAlive: (pid: number) => boolean
}

export function thisProcess(): ProcessIdentity {
  return {
    place: `${hostname()}/${processNamespace()}`,
    pid: process.pid,
    startedAt: new Date(performance.timeOrigin),
    isAlive,
  }
}

/** Of a process in the same place: it has ended, or another one has its number now. */
export function isGone({ pid, startedAt }: Pick<ProcessIdentity, 'pid' | 'startedAt'>, own: ProcessIdentity): boolean {
  if (pid === own.pid) return Math.abs(startedAt.getTime() - own.startedAt.getTime()) > startsApartMs
  return !own.isAlive(pid)
}

/** The same start, written down in whole seconds by one of the two. */
const startsApartMs = 1_000

/** Where `pid` means something. */
function processNamespace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    // Only Linux has them; elsewhere a machine has one.
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of somebody else is there, though it may not be asked.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
