import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { systemIds } from '../clock/ids.ts'
import { incorrect } from '../faults/fault.ts'
import { superuserUrl } from './addresses.ts'
import { errorCode } from '../files/error-code.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import { processState } from './process-state.ts'

const wrongPassword = '28P01'

export interface RunningServer {
  readonly pid: number
  readonly port: number
  /** Signed in as superuser; the taker closes it. */
  readonly client: Client
}

export interface ConnectOptions {
  /** How long a server that says nothing is waited for. */
  readonly connectTimeoutMs?: number
  /** How long a statement may take. */
  readonly queryTimeoutMs?: number
}

/**
 * Connects to the server that runs on this cluster, if one does.
 *
 * A process id proves nothing (ids are reused), nor does an open port, nor the path that the server shows as its data
 * directory (another container may have the same one), nor its postmaster.pid (a copy of the folder has it too). So we
 * write a word into our cluster and ask the server to read it from its own: only ours can.
 */
export async function connectToRunning(
  cluster: string,
  password: string,
  { connectTimeoutMs = 5_000, queryTimeoutMs = 30_000 }: ConnectOptions = {},
): Promise<RunningServer | undefined> {
  const written = await readPostmasterPid(cluster)
  if (written === undefined || written === 'unreadable') return undefined
  if (!written.isReady || written.port === undefined) return undefined
  const client = new Client({
    connectionString: superuserUrl(written.port, password),
    application_name: 'corridor supervisor',
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: queryTimeoutMs,
  })
  // A server that goes away is noticed by the query that needs it.
  client.on('error', () => {})
  try {
    await client.connect()
    if (await readsOurFolder(client, cluster)) return { pid: written.pid, port: written.port, client }
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

async function readsOurFolder(client: Client, cluster: string): Promise<boolean> {
  const name = `corridor.${systemIds.uuid()}`
  const path = join(cluster, name)
  const word = systemIds.secret()
  try {
    // Nobody but the server's user enters the cluster, so the file itself may be open.
    await writeFile(path, word, { mode: 0o644 })
    await chmod(path, 0o644)
    const answer = await client.query<{ word: string | null }>('select pg_read_file($1, true) as word', [name])
    return answer.rows[0]?.word === word
  } finally {
    await rm(path, { force: true })
  }
}
