import type { Client } from 'pg'
import { systemClock, type Clock } from '../../clock/clock.ts'
import { systemRandom, type Random } from '../../clock/ids.ts'
import { unavailable } from '../../faults/fault.ts'
import { isConnectionLoss, sqlErrorOf } from '../sql-error.ts'
import { cancelAtStop } from './cancel-at-stop.ts'

export interface LockDeps {
  readonly clock?: Clock
  readonly random?: Random
  /** Another copy is migrating, and this one waits for it. */
  readonly onWaiting?: () => void
  readonly waitMaxMs?: number
  readonly stop?: AbortSignal | undefined
}

const leaseSeconds = 15

export const waitMaxMsUsual = 600_000

/**
 * Makes the migrator's own tables. `if not exists` is not safe against a second copy that does the same at the same
 * moment: the loser gets a duplicate-key error from the catalogue. By then the winner's is there, so it just repeats.
 */
export async function makeMigrationTables(client: Client): Promise<void> {
  for (const statement of bootstrap) {
    for (let attempt = 1; ; attempt++) {
      try {
        await client.query(statement)
        break
      } catch (thrown) {
        const sqlState = sqlErrorOf(thrown)?.sqlState ?? ''
        if (!raceStates.has(sqlState) || attempt === 10) throw thrown
      }
    }
  }
}

/**
 * Waits until the row is ours; a holder that died loses it when its lease has passed. A row with a lease, because
 * advisory locks do nothing on some of the engines we want to run on. Its times are the database's own, so copies with
 * different clocks agree.
 */
export async function takeMigrationLock(
  client: Client,
  holder: string,
  { url, ...deps }: LockDeps & { readonly url: string },
): Promise<void> {
  const { clock = systemClock, random = systemRandom, onWaiting = () => {}, waitMaxMs = waitMaxMsUsual, stop } = deps
  const giveUpAtMs = clock.monotonicMs() + waitMaxMs
  for (let asked = 0; !(await tryLock(client, holder, { url, stop })); asked++) {
    if (asked === 0) onWaiting()
    if (clock.monotonicMs() >= giveUpAtMs) {
      throw unavailable(
        'Another copy has been migrating the database for too long. Look at its log, then start this copy again.',
        { code: 'MIGRATION_LOCKED' },
      )
    }
    await clock.sleep(50 + random.below(50), stop)
  }
}

/**
 * Inside a migration's transaction: locks the row until COMMIT, and lengthens the lease. False when the lease was lost.
 * However long the file takes, a rival that finds the lease expired waits here for the transaction's end.
 */
export async function holdMigrationLock(client: Client, holder: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `update kit.migration_lock set expires_at = clock_timestamp() + make_interval(secs => $2)
      where id = 1 and holder = $1`,
    [holder, leaseSeconds],
  )
  return rowCount === 1
}

/** Also after a failure, when the session is inside a broken transaction or gone; then the lease ends it. */
export async function releaseMigrationLock(client: Client, holder: string): Promise<void> {
  try {
    if (client.getTransactionStatus() !== 'I') await client.query('rollback')
    await client.query('delete from kit.migration_lock where id = 1 and holder = $1', [holder])
  } catch (thrown) {
    if (!isConnectionLoss(thrown)) throw thrown
  }
}

/** Whoever holds it has it in a transaction while a file is applied, and this waits for the end of that one. */
async function tryLock(client: Client, holder: string, { url, stop }: Stoppable): Promise<boolean> {
  await client.query('begin')
  await using _cancelling = stop === undefined ? undefined : await cancelAtStop(client, url, stop)
  const { rowCount } = await client.query(
    `insert into kit.migration_lock as held (id, holder, expires_at)
     values (1, $1, clock_timestamp() + make_interval(secs => $2))
     on conflict (id) do update set holder = excluded.holder, expires_at = excluded.expires_at
       where held.holder = excluded.holder or held.expires_at < clock_timestamp()`,
    [holder, leaseSeconds],
  )
  await client.query('commit')
  return rowCount === 1
}

interface Stoppable {
  readonly url: string
  readonly stop: AbortSignal | undefined
}

const bootstrap = [
  'create schema if not exists kit',
  `create table if not exists kit.migrations (
    owner text not null,
    number integer not null,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null,
    primary key (owner, number)
  )`,
  `create table if not exists kit.migration_lock (
    id integer primary key,
    holder uuid not null,
    expires_at timestamptz not null
  )`,
]

/** Duplicate key in the catalogue, schema or table or type exists already, catalogue row changed meanwhile, 40001. */
const raceStates: ReadonlySet<string> = new Set(['23505', '42P06', '42P07', '42710', 'XX000', '40001'])
