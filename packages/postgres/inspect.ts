import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceUrl } from './addresses.ts'
import { connectToRunning } from './adopt.ts'
import { installedPackage } from './binaries.ts'
import { layoutOf } from './layout.ts'
import { readPassword } from './password.ts'

/** How the embedded PostgreSQL of a data directory stands. */
type PostgresState =
  | { readonly state: 'new' }
  | { readonly state: 'stopped'; readonly major: string }
  | { readonly state: 'running'; readonly major: string; readonly url: string }

/** Looks without starting or changing anything. Throws the fault that a start would meet. */
export async function inspectPostgres(dataDir: string): Promise<PostgresState> {
  const layout = layoutOf(dataDir)
  installedPackage(process.platform, process.arch)
  const major = await readFile(join(layout.cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (major === undefined) return { state: 'new' }
  const password = await readPassword(layout)
  const running = await connectToRunning(layout.cluster, password)
  if (running === undefined) return { state: 'stopped', major: major.trim() }
  await running.client.end()
  return { state: 'running', major: major.trim(), url: serviceUrl(running.port, password) }
}
