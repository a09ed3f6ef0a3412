import { serviceUrl } from './addresses.ts'
import { connectToRunning, type ConnectOptions } from './adopt.ts'
import { installedPackage } from './binaries.ts'
import { layoutOf } from './layout.ts'
import { majorOf } from './major.ts'
import { readPassword } from './password.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import { processState } from './process-state.ts'
import { runAsFor } from './run-as.ts'

/** How the embedded PostgreSQL of a data directory stands. */
type PostgresState =
  | { readonly state: 'new' }
  | { readonly state: 'stopped'; readonly major: string }
  | { readonly state: 'running'; readonly major: string; readonly url: string }
  /** Its process is there and takes no connection: it starts or ends, or it was stopped, or it waits for its disk. */
  | { readonly state: 'silent'; readonly major: string; readonly pid: number }

/** Looks without starting or changing anything. Throws the fault that a start would meet. */
export async function inspectPostgres(dataDir: string, options: ConnectOptions = {}): Promise<PostgresState> {
  const layout = layoutOf(dataDir)
  installedPackage(process.platform, process.arch)
  await runAsFor(layout.cluster)
  const major = await majorOf(layout)
  if (major === undefined) return { state: 'new' }
  const password = await readPassword(layout)
  const running = await connectToRunning(layout.cluster, password, options)
  if (running === undefined) return (await silentServer(layout.cluster, major)) ?? { state: 'stopped', major }
  await running.client.end()
  return { state: 'running', major, url: serviceUrl(running.port, password) }
}

async function silentServer(cluster: string, major: string): Promise<PostgresState | undefined> {
  const written = await readPostmasterPid(cluster)
  if (written === undefined || written === 'unreadable') return undefined
  const { pid } = written
  return (await processState(pid, cluster)) === 'postgres' ? { state: 'silent', major, pid } : undefined
}
