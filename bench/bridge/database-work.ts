import type { Database } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'

/** What a PostgreSQL has done since it was made: numbers that only grow. */
export interface DatabaseWork {
  /** Transactions that wrote something. */
  readonly commits: number
  /** Those that only read included. */
  readonly transactions: number
  readonly walBytes: number
  /** How often the log was forced to disk; null before PostgreSQL 18, which counts it elsewhere. */
  readonly syncs: number | null
}

export async function databaseWork(database: Database): Promise<DatabaseWork> {
  return database.one<DatabaseWork>(sql`
    select pg_snapshot_xmax(pg_current_snapshot())::text::float8 as commits,
      (select sum(xact_commit)::float8 from pg_stat_database) as transactions,
      (pg_current_wal_insert_lsn() - '0/0')::float8 as "walBytes",
      (select sum(fsyncs)::float8 from pg_stat_io where object = 'wal') as syncs`)
}
