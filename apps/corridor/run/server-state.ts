import { unavailable } from '../../../packages/faults/fault.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** What a start and the doctor want to know of the PostgreSQL that they were given. */
export interface ServerState {
  readonly version: string
  readonly number: number
  /** In what the database keeps text, which was chosen when it was made. */
  readonly encoding: string
  readonly fsync: string
  readonly fullPageWrites: string
  readonly synchronousCommit: string
  /** A standby, which only follows another server. */
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  readonly now: Date
}

export const readServerState = (database: Database) =>
  database.one<ServerState>(sql`
    select current_setting('server_version') as version,
           current_setting('server_version_num')::int as number,
           current_setting('server_encoding') as encoding,
           current_setting('fsync') as fsync,
           current_setting('full_page_writes') as "fullPageWrites",
           current_setting('synchronous_commit') as "synchronousCommit",
           pg_is_in_recovery() as "isStandby",
           current_setting('transaction_read_only') = 'on' as "isReadOnly",
           clock_timestamp() as now`)

const oldestNumber = 150_000

export const isNewEnough = ({ number }: Pick<ServerState, 'number'>): boolean => number >= oldestNumber

/** Names are written in every script, and a database of another encoding does not take some of them. */
export const takesEveryName = ({ encoding }: Pick<ServerState, 'encoding'>): boolean => encoding === 'UTF8'

export const makeInUtf8 =
  "Make one with: create database … encoding 'UTF8' locale 'C' template template0. What a database is kept in cannot be changed."

/** Before anything is written: some migration or other would be refused in the middle. */
export function refuseUnfitServer(state: Pick<ServerState, 'number' | 'version' | 'encoding'>): void {
  if (!isNewEnough(state)) throw unavailable(`The database is PostgreSQL ${state.version}. Corridor needs 15 or newer.`)
  if (!takesEveryName(state)) {
    throw unavailable(`The database is kept in ${state.encoding}. Corridor needs UTF8. ${makeInUtf8}`)
  }
}

/** Whether it keeps what it has confirmed: every promise about messages stands on that. */
export const isDurable = (state: Pick<ServerState, 'fsync' | 'fullPageWrites' | 'synchronousCommit'>): boolean =>
  state.fsync === 'on' && state.fullPageWrites === 'on' && state.synchronousCommit !== 'off'
