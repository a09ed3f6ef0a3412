import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf, unreachable } from '../../../packages/faults/fault.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { inspectPostgres } from '../../../packages/postgres/inspect.ts'
import { isOutOfRoom } from '../../../packages/sql/database-fault.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { sqlErrorOf } from '../../../packages/sql/sql-error.ts'
import { lostSettings } from '../../../packages/sql/lost-settings.ts'
import { pendingMigrations } from '../../../packages/sql/migrate/migrate.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Configuration } from '../configuration.ts'
import { migrationSets } from '../run/corridor-database.ts'
import { tryRoom } from '../run/room-watch.ts'
import {
  isDurable,
  isNewEnough,
  makeInUtf8,
  readServerState,
  takesEveryName,
  type ServerState,
} from '../run/server-state.ts'
import { serviceNames } from '../service-names.ts'
import { checkAccounts } from './accounts.ts'
import type { CheckDeps } from './check-deps.ts'
import { bad, good, warning, type Finding } from './finding.ts'
import { checkSealed } from './sealed.ts'

/** The database answers, is new enough, keeps what it promises, and agrees with us about the time. */
export async function checkDatabase(configuration: Configuration, deps: CheckDeps): Promise<Finding[]> {
  const url = configuration.database.url
  return url === undefined ? checkEmbedded(configuration, deps) : checkServer(url, configuration, deps)
}

async function checkEmbedded(configuration: Configuration, deps: CheckDeps): Promise<Finding[]> {
  try {
    const found = await inspectPostgres(configuration.dataDir)
    switch (found.state) {
      case 'new':
        return [good('PostgreSQL', 'embedded; the first start makes its data')]
      case 'stopped':
        return [good('PostgreSQL', `embedded ${found.major}, stopped; a start brings it up`)]
      case 'running':
        return [
          good('PostgreSQL', `embedded ${found.major}, running`),
          ...(await checkServer(found.url, configuration, deps)),
        ]
      case 'silent':
        return [
          bad(
            'PostgreSQL',
            `embedded ${found.major}, process ${found.pid}, takes no connection`,
            `Ask again in a moment, in case it is starting. One that stays silent waits for its disk, or was stopped: "ps -o stat= -p ${found.pid}" says D or T, and "kill -CONT ${found.pid}" lets a stopped one go on.`,
          ),
        ]
      default:
        return unreachable(found)
    }
  } catch (thrown) {
    return [bad('PostgreSQL', faultOf(thrown).shown, 'The sentence above says what to do.')]
  }
}

async function checkServer(url: string, configuration: Configuration, deps: CheckDeps): Promise<Finding[]> {
  let database: Database
  try {
    database = await openDatabase({ url, poolMax: 1, applicationName: 'corridor doctor', log: silentLog })
  } catch (thrown) {
    return [
      bad(
        'Database',
        faultOf(thrown).shown,
        'Check that it runs and that CORRIDOR_DATABASE_URL names host, user, password and database.',
      ),
    ]
  }
  try {
    const state = await readServerState(database)
    return [
      ...[versionFinding(state), ...encodingFindings(state), await writingFinding(state, database)],
      ...[durabilityFinding(state), await sessionsFinding(database), clockFinding(state, deps.clock)],
      ...(await checkSchema(url, database, { ...deps, configuration })),
    ]
  } finally {
    await database.close()
  }
}

function versionFinding(state: ServerState): Finding {
  if (isNewEnough(state)) return good('Database', `PostgreSQL ${state.version} answers`)
  return bad('Database', `PostgreSQL ${state.version} is too old`, 'Corridor needs PostgreSQL 15 or newer.')
}

/** Said only where something is wrong: who made the database as ever never thought of it. */
const encodingFindings = (state: ServerState): readonly Finding[] =>
  takesEveryName(state) ? [] : [bad('Encoding', `text is kept in ${state.encoding}, and not in UTF8`, makeInUtf8)]

/** What readiness asks for as well: a server that only answers questions is of no use. */
async function writingFinding({ isStandby, isReadOnly }: ServerState, database: Database): Promise<Finding> {
  if (isStandby) {
    return bad('Writing', 'the server is a standby and takes no changes', 'Name the primary in database.url.')
  }
  if (isReadOnly) {
    return bad(
      'Writing',
      'the server takes no changes: transactions are read-only',
      'Find out who turned default_transaction_read_only on, for the server, the database or the user, and turn it off.',
    )
  }
  try {
    await tryRoom(database)
  } catch (thrown) {
    const reason = sqlErrorOf(thrown)?.message ?? faultOf(thrown).shown
    return isOutOfRoom(thrown)
      ? bad('Writing', `the server has no room: ${reason}`, 'Make room on its disk; Corridor goes on by itself.')
      : bad('Writing', `the server takes no changes: ${reason}`, 'Look into the log of the server.')
  }
  return good('Writing', 'the server takes changes')
}

function durabilityFinding(state: ServerState): Finding {
  const { fsync, synchronousCommit, fullPageWrites } = state
  const says = `fsync ${fsync}, synchronous_commit ${synchronousCommit}, full_page_writes ${fullPageWrites}`
  if (isDurable(state)) return good('Durability', says)
  return bad(
    'Durability',
    says,
    'Turn all of them on: without them an acknowledged message can be lost when the machine stops.',
  )
}

async function sessionsFinding(database: Database): Promise<Finding> {
  const lost = await lostSettings(database, {})
  if (lost.length === 0) return good('Sessions', 'are in UTC, and limited and planned as they were told')
  return bad(
    'Sessions',
    lost.join(', '),
    'A pooler on the way drops what the first message of a connection says. Name PostgreSQL itself in database.url, or one that passes `options` on.',
  )
}

const clockDifferenceMaxMs = 5_000

function clockFinding({ now }: ServerState, clock: Clock): Finding {
  const differenceMs = Math.abs(now.getTime() - clock.now().getTime())
  const says = `${clock.now().toISOString().slice(0, 19)}Z, ${(differenceMs / 1000).toFixed(1)} s from the database's`
  if (differenceMs <= clockDifferenceMaxMs) return good('Clock', says)
  return warning('Clock', says, 'Synchronise both machines with a time server: tokens and retries depend on it.')
}

interface SchemaDeps extends CheckDeps {
  readonly configuration: Configuration
}

/** The tables are ours, or can be made so; what lies in them is looked at where they are as this version knows them. */
async function checkSchema(
  url: string,
  database: Database,
  { configuration, ...deps }: SchemaDeps,
): Promise<Finding[]> {
  try {
    const pending = await pendingMigrations(url, migrationSets(serviceNames))
    if (pending.length > 0) return [await waitingFinding(pending.length, database)]
    const accounts = deps.running.includes('auth') ? [await checkAccounts(configuration, database)] : []
    const sealed = await checkSealed(configuration, { ...deps, database })
    return [good('Migrations', 'up to date'), ...accounts, ...sealed]
  } catch (thrown) {
    return [bad('Migrations', faultOf(thrown).shown, 'The sentence above says what to do.')]
  }
}

async function waitingFinding(count: number, database: Database): Promise<Finding> {
  const { may } = await database.one<{ may: boolean }>(
    sql`select has_database_privilege(current_database(), 'CREATE') as may`,
  )
  if (may) return good('Migrations', `${count} waiting; the next start applies them`)
  return bad(
    'Migrations',
    `${count} waiting, and the user of database.url may not apply them`,
    'Grant it CREATE on the database, or run `corridor migrate` as the owner before the next start.',
  )
}
