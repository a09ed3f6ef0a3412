import { execFile } from 'node:child_process'
import { cpus, release, totalmem, type } from 'node:os'
import { promisify } from 'node:util'

export interface Machine {
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
  readonly os: string
  readonly node: string
}

/** Figures mean nothing without it. */
export function thisMachine(): Machine {
  const all = cpus()
  return {
    cpu: `${all[0]?.model.trim() ?? 'unknown'} (${process.arch})`,
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()}`,
    node: process.version,
  }
}

/** The commit that was measured, with a mark when files differ from it; null outside a clone. */
export async function measuredCommit(): Promise<string | null> {
  try {
    const [head, changes] = await Promise.all([git('rev-parse', 'HEAD'), git('status', '--porcelain')])
    return changes === '' ? head : `${head} with changes`
  } catch {
    return null
  }
}

async function git(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { timeout: 5_000 })
  return stdout.trim()
}
