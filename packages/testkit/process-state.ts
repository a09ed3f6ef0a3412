import { readFileSync } from 'node:fs'

/** Whether a process still runs. A zombie (ended, not yet collected by its parent) does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return stateOf(pid) !== 'Z'
}

/** The state letter of proc(5), where there is a /proc. */
function stateOf(pid: number): string | undefined {
  try {
    // The name in parentheses may itself hold spaces and parentheses.
    return /\) (\w)[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
