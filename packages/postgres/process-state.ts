import { readFile, readlink, realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import { errorCode } from './error-code.ts'
import { runProgram } from './run-program.ts'

/** What the process with an id is, seen from a cluster: gone (or a zombie), a PostgreSQL, or somebody else's. */
export type ProcessState = 'gone' | 'postgres' | 'foreign'

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
  try {
    // The name in brackets may itself hold brackets and spaces; the state is the first word after the last bracket.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    if ('ZX'.includes(stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '')) return 'gone'
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')[0] ?? ''
    if (!isPostgresCommand(command)) return 'foreign'
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster)) ? 'postgres' : 'foreign'
  } catch (error) {
    // It ended while we looked, or it belongs to a user whose processes we may not look at: then it is not ours.
    return errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH' ? 'gone' : 'foreign'
  }
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
