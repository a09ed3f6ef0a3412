import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemIds } from '../clock/ids.ts'
import { unavailable } from '../faults/fault.ts'
import type { Binaries } from './binaries.ts'
import { diskFull } from './data-dir.ts'
import { clusterPath } from './cluster-path.ts'
import { superuser } from './addresses.ts'
import { type Layout, unfinishedPrefix } from './layout.ts'
import { ensurePassword } from './password.ts'
import { runProgram } from './run-program.ts'
import { giveTo, type RunAs } from './run-as.ts'
import { syncFolder } from './write-durably.ts'

/**
 * Makes the cluster under another name and renames it when it is whole, so that a cluster that has its name is never
 * half made: what an interruption leaves behind is thrown away by the next start.
 */
export async function initialise(
  layout: Layout,
  binaries: Binaries,
  runAs: RunAs,
  options: { readonly durable: boolean; readonly stop?: AbortSignal | undefined },
): Promise<void> {
  await removeUnfinished(layout)
  const unfinished = join(layout.dataDir, `${unfinishedPrefix}${systemIds.uuid()}`)
  await mkdir(unfinished, { mode: 0o700 })
  await giveTo(unfinished, runAs)
  await ensurePassword(layout)
  await giveTo(layout.password, runAs)
  await runInitdb(unfinished, layout, binaries, runAs, options)
  await rename(unfinished, layout.cluster)
  await syncFolder(layout.dataDir)
}

async function removeUnfinished(layout: Layout): Promise<void> {
  for (const name of await readdir(layout.dataDir)) {
    if (!name.startsWith(unfinishedPrefix)) continue
    // An initdb that outlived its Corridor may write for a moment still.
    await rm(join(layout.dataDir, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

async function runInitdb(
  folder: string,
  layout: Layout,
  binaries: Binaries,
  runAs: RunAs,
  { durable, stop }: { readonly durable: boolean; readonly stop?: AbortSignal | undefined },
) {
  await using password = await open(layout.password, 'r')
  const path = await clusterPath(folder, runAs)
  const result = await runProgram(
    join(binaries.folder, 'initdb'),
    [
      `--pgdata=${path}`,
      `--username=${superuser}`,
      `--pwfile=${path === folder ? layout.password : '/proc/self/fd/3'}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ],
    { runAs, cwd: folder, timeoutMs: 120_000, inherit: [password.fd], stop },
  )
  stop?.throwIfAborted()
  if (result.exitCode !== 0) throw initdbFault(layout, result.output)
}

function initdbFault(layout: Layout, output: string) {
  if (/could not look up effective user ID/i.test(output)) {
    return unavailable(
      `The user id ${process.getuid?.()} has no entry in /etc/passwd, and PostgreSQL needs one to make its data ` +
        'directory. Add an entry, or set CORRIDOR_DATABASE_URL to a PostgreSQL of your own.',
      { code: 'POSTGRES_NO_USER', logged: output },
    )
  }
  if (/no space left on device/i.test(output)) return diskFull(layout.dataDir, output)
  return unavailable('The embedded PostgreSQL could not be initialised. The log says what initdb answered.', {
    code: 'POSTGRES_NOT_INITIALISED',
    logged: output,
  })
}
