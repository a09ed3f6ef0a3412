import { join } from 'node:path'
import { installedPackage } from './binaries.ts'
import { errorCode } from '../files/error-code.ts'
import { runProgram } from './run-program.ts'

type StopSignal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL'

/** Signals a process; one that is gone already needs none. */
export async function sendSignal(pid: number, signal: StopSignal): Promise<void> {
  const viaPgCtl = pgCtlKill(process.platform, pid, signal)
  if (viaPgCtl !== undefined) {
    const pgCtl = join(installedPackage(process.platform, process.arch), 'native', 'bin', 'pg_ctl')
    await runProgram(pgCtl, viaPgCtl, { runAs: {}, timeoutMs: 5_000 })
    return
  }
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** Windows has no signals; PostgreSQL has its own there, and pg_ctl sends them. */
export function pgCtlKill(platform: string, pid: number, signal: StopSignal): readonly string[] | undefined {
  return platform === 'win32' && signal !== 'SIGKILL' ? ['kill', signal.slice('SIG'.length), String(pid)] : undefined
}
