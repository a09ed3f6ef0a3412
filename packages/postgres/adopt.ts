import { Client } from 'pg'
import { incorrect } from '../faults/fault.ts'
import { superuserUrl } from './addresses.ts'
import { errorCode } from './error-code.ts'
import { parsePostmasterPid, readPostmasterPid } from './postmaster-pid.ts'
import { processState } from './process-state.ts'

const wrongPassword = '28P01'

export interface RunningServer {
  readonly pid: number
  readonly port: number
  /** Signed in as superuser; the taker closes it. */
  readonly client: Client
}

/**
 * Connects to the server that runs on this cluster, if one does.
 *
 * A process id proves nothing (ids are reused) and neither does an open port, nor a path (a copy of the cluster, or
 * another container's, may have the same one). So the server is asked for the postmaster.pid of its data directory:
 * when that is the one we read ourselves, its data directory is ours.
 */
export async function connectToRunning(cluster: string, password: string): Promise<RunningServer | undefined> {
  const written = await readPostmasterPid(cluster)
  if (written === undefined || written === 'unreadable') return undefined
  if (!written.isReady || written.port === undefined) return undefined
  const client = new Client({
    connectionString: superuserUrl(written.port, password),
    application_name: 'corridor supervisor',
    connectionTimeoutMillis: 5_000,
    query_timeout: 30_000,
  })
  // A server that goes away is noticed by the query that needs it.
  client.on('error', () => {})
  try {
    await client.connect()
    const answer = await client.query<{ text: string }>(`select pg_read_file('postmaster.pid') as text`)
    const seen = parsePostmasterPid(answer.rows[0]?.text ?? '')
    if (seen?.identity === written.identity) return { pid: written.pid, port: written.port, client }
  } catch (error) {
    // Otherwise nothing listens there, or it is not our server: either way there is none to adopt.
    if (errorCode(error) === wrongPassword && (await processState(written.pid, cluster)) === 'postgres') {
      await client.end().catch(() => {})
      throw incorrect(
        `The PostgreSQL that runs on ${cluster} refuses the password that Corridor kept for it. ` +
          'Restore postgres.password from a backup of the data directory.',
        { code: 'POSTGRES_PASSWORD_LOST', cause: error },
      )
    }
  }
  await client.end().catch(() => {})
  return undefined
}
