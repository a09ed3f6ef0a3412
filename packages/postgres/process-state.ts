import { readFile, readlink, realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { errorCode } from '../files/error-code.ts'
import { runProgram } from './run-program.ts'

/** What the process with an id is, seen from a cluster: gone (or a zombie), a PostgreSQL, or somebody else's. */
type ProcessState = 'gone' | 'postgres' | 'foreign'

/**
 * A zombie counts as gone: where nobody reaps (Node as process 1 of a container) a killed server stays one for ever.
 */
export async function processState(pid: number, cluster: string): Promise<ProcessState> {
  if (!isThere(pid)) return 'gone'
  return process.platform === 'linux' ? linuxState(pid, cluster) : portableState(pid)
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

async function linuxState(pid: number, cluster: string): Promise<ProcessState> {
  const life = await lifeOf(pid)
  if (life === 'gone') return 'gone'
  // A process that is ending has no name and no folder any more, but may still hold its port: it is waited for.
  if (life === 'ending') return 'postgres'
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const folder = await readlink(`/proc/${pid}/cwd`).catch((error: unknown) => (isHiding(error) ? undefined : ''))
  if (stateOfProc(command, folder, await realpath(cluster)) === 'postgres') return 'postgres'
  // It may have begun to end while we looked.
  const lifeNow = await lifeOf(pid)
  return lifeNow === 'living' ? 'foreign' : lifeNow === 'gone' ? 'gone' : 'postgres'
}

/** Root in a container without SYS_PTRACE may not see where a process of another user works. */
const isHiding = (error: unknown) => ['EACCES', 'EPERM'].includes(errorCode(error) ?? '')

/**
 * @param command the words of its command line, each ended by a zero
 * @param folder where it works; undefined where that is not shown to us: then its name has to do, as on macOS
 */
export function stateOfProc(command: string, folder: string | undefined, cluster: string): ProcessState {
  const isPostgres = isPostgresCommand(command.split('\0')[0] ?? '')
  return isPostgres && (folder === undefined || folder === cluster) ? 'postgres' : 'foreign'
}

/** From the kernel's include/linux/sched.h. */
const exitingFlag = 0x4

async function lifeOf(pid: number): Promise<'living' | 'ending' | 'gone'> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return 'gone'
  // The name in brackets may itself hold brackets and spaces; the state is the first word after the last bracket.
  const [state = '', , , , , , flags] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return 'gone'
  return (Number(flags) & exitingFlag) === 0 ? 'living' : 'ending'
}

/** macOS and Windows show the name of a process, but not the folder it works in. */
async function portableState(pid: number): Promise<ProcessState> {
  const command =
    process.platform === 'win32'
      ? ['tasklist', '/nh', '/fo', 'csv', '/fi', `PID eq ${pid}`]
      : ['ps', '-o', 'stat=,comm=', '-p', String(pid)]
  const [file = '', ...args] = command
  const { output } = await runProgram(file, args, { runAs: {}, timeoutMs: 5_000 })
  return process.platform === 'win32' ? stateOfTasklist(output) : stateOfPs(output)
}

/** @param output the state and the name of one process, or nothing */
export function stateOfPs(output: string): ProcessState {
  const [state = '', command = ''] = output.trim().split(/\s+/)
  if (state === '' || state.startsWith('Z')) return 'gone'
  return isPostgresCommand(command) ? 'postgres' : 'foreign'
}

/** @param output one line of quoted fields that begins with the name, or a sentence that nothing was found */
export function stateOfTasklist(output: string): ProcessState {
  const name = /^"([^"]*)"/.exec(output.trim())?.[1]
  if (name === undefined) return 'gone'
  return isPostgresCommand(name) ? 'postgres' : 'foreign'
}

const isPostgresCommand = (command: string) => /^postgres(\.exe|:)?$/.test(basename(command.split(' ')[0] ?? ''))
