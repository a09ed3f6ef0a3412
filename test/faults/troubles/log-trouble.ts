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
export async function logWriters(client: Client): Promise<readonly number[]> {
  const { rows } = await client.query<{ pid: number }>(`
    select pid from pg_stat_activity
    where backend_type in ('client backend', 'walwriter') and pid <> pg_backend_pid()`)
  return rows.map(({ pid }) => pid)
}

export async function untilGone(pids: readonly number[]): Promise<void> {
  const what = 'PostgreSQL to end its processes'
  await waitFor(() => pids.every((pid) => !isRunning(pid)), { what, deadlineMs: 60_000 })
}

export async function untilOneIsGone(pids: readonly number[]): Promise<void> {
  const what = 'a process of PostgreSQL to end'
  await waitFor(() => pids.some((pid) => !isRunning(pid)), { what, deadlineMs: 60_000, everyMs: 1 })
}

/** A connection that may break. One that nobody answers is given up, so that whoever waits can ask again. */
export async function superuser(url: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end().catch(() => {}) })
}
