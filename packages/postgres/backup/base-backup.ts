import type { Client } from 'pg'
import { systemClock, type Clock } from '../../clock/clock.ts'
import { every } from '../../clock/every.ts'
import { assert, incorrect, unavailable } from '../../faults/fault.ts'
import { silentLog } from '../../log/log.ts'
import { connectToRunning } from '../adopt.ts'
import type { Layout } from '../layout.ts'
import { readPassword } from '../password.ts'
import { segmentsBetween } from './wal-segments.ts'

/** What has to lie beside the copied files, so that a server that starts on them comes to one moment of all of them. */
export interface BackupEnd {
  /** The text of `backup_label`. */
  readonly label: string
  /** The files in `pg_wal` that hold every change from the start of the copy to its end; kept until `end`. */
  readonly segments: readonly string[]
  readonly segmentBytes: number
}

/**
 * A base backup of a running server, by PostgreSQL's low-level functions: npm brings no `pg_basebackup`. Between `start`
 * and `stop` the cluster's files may be copied in any order while they change; the changes of that time, in the segments that
 * `stop` names, make one state of them.
 *
 * All of it hangs on one connection: whatever ends that ends the backup, and lets the server recycle its segments again.
 */
export class BaseBackup {
  readonly #client: Client
  readonly #version: string
  readonly #gone = new AbortController()
  readonly #pulse: { end(): Promise<void> }
  #isEnding = false

  private constructor(client: Client, version: string, clock: Clock) {
    this.#client = client
    this.#version = version
    client.once('end', () => {
      if (!this.#isEnding) this.#gone.abort(serverGone())
    })
    const pulse = { work: () => client.query('select 1'), failed: 'the backup has lost its connection' }
    this.#pulse = every(pulseMs, pulse, { clock, log: silentLog })
  }

  /** Begins with a checkpoint, which a busy server on a slow disk may take a minute for. */
  static async start(layout: Layout, clock: Clock = systemClock): Promise<BaseBackup> {
    const running = await connectToRunning(layout.cluster, await readPassword(layout), {
      queryTimeoutMs: checkpointMsMax,
    })
    if (running === undefined) throw serverGone()
    const { client } = running
    try {
      return new BaseBackup(client, await begin(client), clock)
    } catch (thrown) {
      await client.end().catch(() => {})
      throw thrown
    }
  }

  /** Of the server, such as 18.4. */
  get version(): string {
    return this.#version
  }

  /** Aborts when the server goes away: what is copied then is worth nothing. */
  get gone(): AbortSignal {
    return this.#gone.signal
  }

  /** After the last file was copied. */
  async stop(): Promise<BackupEnd> {
    const { rows } = await this.#client.query<{ label: string; last: string; segmentBytes: string }>(`
      select labelfile as label, pg_walfile_name(lsn - 1::numeric) as last,
             (select setting from pg_settings where name = 'wal_segment_size') as "segmentBytes"
      from pg_backup_stop(wait_for_archive => false)`)
    const [end] = rows
    assert(end !== undefined, 'pg_backup_stop answers with a row')
    const first = /^START WAL LOCATION: \S+ \(file ([\dA-F]{24})\)$/m.exec(end.label)?.[1]
    assert(first !== undefined, 'a backup label names the file that it begins with')
    const segmentBytes = Number(end.segmentBytes)
    return { label: end.label, segments: segmentsBetween(first, end.last, segmentBytes), segmentBytes }
  }

  /** Ends the connection, and with it the hold on the segments. */
  async end(): Promise<void> {
    this.#isEnding = true
    await this.#pulse.end()
    await this.#client.end().catch(() => {})
  }
}

const checkpointMsMax = 600_000

/**
 * A backup that was stopped (Ctrl-Z) or hangs on its disk would hold back segments until the server's disk is full: one that
 * does not stir for five minutes is ended by the server.
 */
const idleMinutesMax = 5
const pulseMs = 20_000

async function begin(client: Client): Promise<string> {
  await client.query(`set idle_session_timeout = '${idleMinutesMax}min'`)
  const { rows } = await client.query<{ version: string; tablespaces: string }>(`
    select split_part(current_setting('server_version'), ' ', 1) as version,
           (select count(*) from pg_tablespace where spcname not in ('pg_default', 'pg_global')) as tablespaces`)
  if (rows[0]?.tablespaces !== '0') throw tablespaces()
  // Temporary: it ends with this connection, however that ends. From now on no segment is recycled.
  await client.query(`select pg_create_physical_replication_slot('corridor_backup_' || pg_backend_pid(), true, true)`)
  await client.query(`select pg_backup_start('corridor backup', fast => true)`)
  return rows[0].version
}

const tablespaces = () =>
  incorrect(
    'The embedded PostgreSQL has tablespaces outside of its data directory, which Corridor never makes. ' +
      'Back it up with pg_basebackup of a PostgreSQL 18.',
    { code: 'BACKUP_TABLESPACES' },
  )

const serverGone = () =>
  unavailable('The database stopped or was started anew while it was being copied. Run the backup again.', {
    code: 'BACKUP_INTERRUPTED',
  })
