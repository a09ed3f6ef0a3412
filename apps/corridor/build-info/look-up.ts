import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BuildInfo } from './build-info.ts'

export interface BuildEnvironment {
  /** Seconds since 1970, where a build has to come out the same twice. */
  readonly SOURCE_DATE_EPOCH?: string | undefined
  /** Where the sources come without their history, as into an image. */
  readonly SOURCE_COMMIT?: string | undefined
}

/** When this build is made and from which commit, where that is known. Nothing of the machine. */
export async function lookUpBuild(root: string, now: Date, environment: BuildEnvironment): Promise<BuildInfo> {
  const { SOURCE_DATE_EPOCH: epoch = '', SOURCE_COMMIT: id = '' } = environment
  const time = /^\d{1,11}$/.test(epoch) ? new Date(Number(epoch) * 1_000) : now
  const git = (await commitIn(root)) ?? (isCommit(id) ? { commit: { id } } : undefined)
  return { time: time.toISOString(), ...(git === undefined ? {} : { git }) }
}

async function commitIn(root: string): Promise<BuildInfo['git']> {
  // The history of a folder further up is not ours.
  if (!existsSync(join(root, '.git'))) return undefined
  try {
    const [shown, changes] = await Promise.all([
      askGit(root, 'show', '--no-patch', '--format=%H %ct', 'HEAD'),
      askGit(root, 'status', '--porcelain', '--untracked-files=no'),
    ])
    const [id = '', seconds] = shown.trim().split(' ')
    if (!isCommit(id)) return undefined
    return { commit: { id, time: new Date(Number(seconds) * 1_000).toISOString() }, dirty: changes !== '' }
  } catch {
    // There is no git, or none that trusts this folder: a build does not need it.
    return undefined
  }
}

const isCommit = (text: string): boolean => /^[0-9a-f]{40,64}$/.test(text)

/** Without locks: somebody may be at work in the same folder. */
async function askGit(root: string, ...command: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['--no-optional-locks', ...command], {
    cwd: root,
    timeout: 10_000,
  })
  return stdout
}
