import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Where a copy runs, so that one that starts in the same place can tell whether those before it are still there. */
export interface ProcessIdentity {
  /**
   * The machine, and on Linux its boot and the process namespace: two machines may share a name, not these. Nobody else's
   * where that cannot be told.
   */
  readonly place: string
  readonly pid: number
  readonly startedAt: Date
  readonly isAlive: (pid: number) => boolean
}

/** What tells machines and process namespaces apart. */
export interface Machine {
  readonly platform: string
  readonly name: string
  /** Undefined for what cannot be read here. */
  readonly fileText: (path: string) => string | undefined
  readonly linkText: (path: string) => string | undefined
}

export function thisProcess(machine: Machine = thisMachine): ProcessIdentity {
  const { pid } = process
  const startedAt = new Date(performance.timeOrigin)
  const where = machine.platform === 'linux' ? linuxPlace(machine) : ''
  // Whoever has the same name may be on another machine, and alive: then nobody is here but this process.
  const place = `${machine.name}/${where ?? `${pid}/${startedAt.getTime()}`}`
  return { place, pid, startedAt, isAlive }
}

/** Of a process in the same place: it has ended, or another one has its number now. */
export function isGone({ pid, startedAt }: Pick<ProcessIdentity, 'pid' | 'startedAt'>, own: ProcessIdentity): boolean {
  if (pid === own.pid) return Math.abs(startedAt.getTime() - own.startedAt.getTime()) > startsApartMs
  return !own.isAlive(pid)
}

/** The same start, written down in whole seconds by one of the two. */
const startsApartMs = 1_000

/**
 * Where a process number means something; elsewhere than on Linux a machine has one such place. A service that is shown
 * processes alone (systemd's ProcSubset=pid) sees its namespace and not the boot; then the machine's own id stands for it.
 */
function linuxPlace({ fileText, linkText }: Machine): string | undefined {
  const boot = fileText('/proc/sys/kernel/random/boot_id') ?? machineId(fileText)
  const namespace = linkText('/proc/self/ns/pid')
  return boot === undefined || namespace === undefined ? undefined : `${boot}/${namespace}`
}

/** An image that nobody has started yet has none, or says that it has none. */
function machineId(fileText: Machine['fileText']): string | undefined {
  const id = fileText('/etc/machine-id')
  return id?.length === machineIdDigits ? id : undefined
}

const machineIdDigits = 32

const thisMachine: Machine = {
  platform: process.platform,
  name: hostname(),
  fileText: (path) => readable(() => readFileSync(path, 'utf8').trim()),
  linkText: (path) => readable(() => readlinkSync(path)),
}

function readable(read: () => string): string | undefined {
  try {
    return read()
  } catch {
    return undefined
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
