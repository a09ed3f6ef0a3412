import { Client } from 'pg'
import { isRunning } from '../../../packages/testkit/process-state.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'

/** A place for a PostgreSQL, and a way to hurt its log there while it runs. */
export interface LogTrouble extends AsyncDisposable {
  readonly dataDir: string
  /** What it is, for the table of figures. */
  readonly how: string
  /** Stands in for what cannot be done on this machine, and is done by another suite anyway: a few times are enough. */
  readonly isStandIn: boolean
  /** What PostgreSQL says when it happens. */
  readonly lastWords: RegExp
  /** Called once, when PostgreSQL runs. */
  prepare(superuserUrl: string): Promise<void>
  /** @returns when the processes that could not go on are gone; from then on all is well again */
  strike(superuserUrl: string): Promise<void>
  /** Called when nothing runs on it any more: loses what the disk itself does not have. */
  cutPower(): Promise<void>
}

/** Everybody who writes the log for the sake of a session, but for this one. */
export const logWriters = (client: Client): Promise<readonly number[]> =>
  processesOf(client, ['client backend', 'walwriter'])

/** The one who ends with the server alone, and not, as the session of a pool does, after it had nothing to do. */
export function lastingLogWriter(client: Client): Promise<number> {
  // After a recovery it comes a moment later than the first sessions.
  const what = 'PostgreSQL to begin its walwriter'
  return waitFor(async () => (await processesOf(client, ['walwriter']))[0], { what })
}

async function processesOf(client: Client, types: readonly string[]): Promise<readonly number[]> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where backend_type = any($1) and pid <> pg_backend_pid()',
    [types],
  )
  return rows.map(({ pid }) => pid)
}

export async function untilGone(pids: readonly number[]): Promise<void> {
  const what = 'PostgreSQL to end its processes'
  await waitFor(() => pids.every((pid) => !isRunning(pid)), { what, deadlineMs: 60_000 })
}

/** Seen within a millisecond. */
export async function untilItEnds(pid: number): Promise<void> {
  const what = 'a process of PostgreSQL to end'
  await waitFor(() => !isRunning(pid), { what, deadlineMs: 60_000, everyMs: 1 })
}

/** A connection that may break. One that nobody answers is given up, so that whoever waits can ask again. */
export async function superuser(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end().catch(() => {}) })
}
