import { silentLog } from '../../../packages/log/log.ts'
import { ensurePostgres, type EmbeddedPostgres, type EnsureOptions } from '../../../packages/postgres/ensure.ts'
import { temporaryDataDir } from '../../../packages/postgres/fixtures/temporary-data-dir.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { startCorridor, type TestCorridor, type TestCorridorOptions } from '../../../packages/testkit/run-corridor.ts'
import { testServer } from '../../../packages/testkit/test-database.ts'
import { killAll, postgresProcesses } from '../troubles/kill-postgres.ts'

/** A whole Corridor in this process on a PostgreSQL of its own, which can be stopped, killed and started again. */
export async function platformPlace(options: TestCorridorOptions = {}) {
  const owned = new AsyncDisposableStack()
  const { dataDir } = owned.use(await temporaryDataDir({ isOnDisk: true }))
  // One that nobody can take while the server is away: Corridor looks for it where it was.
  const start = { dataDir, log: silentLog, durable: false, port: await freePort() }
  const postgres = await ensurePostgres(start)
  owned.defer(async () => {
    const running = await ensurePostgres(start)
    await running.stop()
  })
  const server = { url: postgres.superuserUrl, run: testServer().run }
  const corridor = owned.use(await startCorridor(server, options))
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 2, log: silentLog })
  owned.defer(() => database.close())
  return new PlatformPlace({ start, postgres, corridor, database, owned })
}

interface PlatformParts {
  readonly start: EnsureOptions
  readonly postgres: EmbeddedPostgres
  readonly corridor: TestCorridor
  readonly database: Database
  readonly owned: AsyncDisposableStack
}

export class PlatformPlace implements AsyncDisposable {
  readonly corridor: TestCorridor
  /** The test's own eyes, through connections of their own. */
  readonly database: Database
  readonly #parts: PlatformParts
  #postgres: EmbeddedPostgres

  constructor(parts: PlatformParts) {
    this.#parts = parts
    this.corridor = parts.corridor
    this.database = parts.database
    this.#postgres = parts.postgres
  }

  /** In good order, as for an upgrade: sessions end, what was committed is there. */
  async stopPostgres(): Promise<void> {
    await this.#postgres.stop()
  }

  /** As the kernel does when memory is short. */
  async killPostgres(): Promise<void> {
    killAll(await postgresProcesses(this.#parts.start.dataDir))
  }

  async startPostgres(): Promise<void> {
    this.#postgres = await ensurePostgres(this.#parts.start)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.owned.disposeAsync()
  }
}
