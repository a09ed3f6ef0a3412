import { serviceUrl } from './addresses.ts'
import { connectToRunning } from './adopt.ts'
import { installedPackage } from './binaries.ts'
import { layoutOf } from './layout.ts'
import { majorOf } from './major.ts'
import { readPassword } from './password.ts'
import { runAsFor } from './run-as.ts'

/** How the embedded PostgreSQL of a data directory stands. */
type PostgresState =
  | { readonly state: 'new' }
  | { readonly state: 'stopped'; readonly major: string }
  | { readonly state: 'running'; readonly major: string; readonly url: string }

/** Looks without starting or changing anything. Throws the fault that a start would meet. */
export async function inspectPostgres(dataDir: string): Promise<PostgresState> {
  const layout = layoutOf(dataDir)
  installedPackage(process.platform, process.arch)
  await runAsFor(layout.cluster)
  const major = await majorOf(layout)
  if (major === undefined) return { state: 'new' }
  const password = await readPassword(layout)
  const running = await connectToRunning(layout.cluster, password)
  if (running === undefined) return { state: 'stopped', major }
  await running.client.end()
  return { state: 'running', major, url: serviceUrl(running.port, password) }
}
