// The program that database-kills.test.ts kills. It does with the database what a service does, and reports every commit
// on standard output, but only after the kit has said that it is durable.
//   node test/faults/places/database-writer.ts <data directory> <name of this life>
import { flushCompileCache } from 'node:module'
import { faultOf } from '../../../packages/faults/fault.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { ensurePostgres } from '../../../packages/postgres/ensure.ts'
import { Batcher } from '../../../packages/sql/batcher.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { sql } from '../../../packages/sql/sql.ts'

const [dataDir = '', life = ''] = process.argv.slice(2)
const migrations = [kitMigrations, { owner: 'faults', folder: new URL('migrations/', import.meta.url) }]
const batchCallers = 8
const transactionCallers = 4

/** Writing to a pipe is synchronous: once this returns, a kill of this process no longer takes the line back. */
const report = (line: string) => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const url = await untilItWorks(startService)
  const database = await untilItWorks(() => openDatabase({ url, poolMax: transactionCallers + 2, log: silentLog }))
  const batcher = new Batcher<string, true>({ writers: 2, write: (ids) => writeMessages(database, ids) })
  await Promise.all([
    ...callers(batchCallers, 'message', (id) => batcher.submit(id)),
    ...callers(transactionCallers, 'transaction', (id) => writeTransaction(database, id)),
  ])
}

async function startService(): Promise<string> {
  report('phase starting')
  // The next life begins sooner: reading TypeScript is most of a start.
  flushCompileCache()
  const url = await startDatabase()
  report('phase database is up')
  await migrate(url, migrations)
  report('phase migrated')
  return url
}

async function startDatabase(): Promise<string> {
  return (await ensurePostgres({ dataDir, log: silentLog })).url
}

/** Again when the database died meanwhile, as whoever runs a service would start it again. Anything else is a bug. */
async function untilItWorks<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (thrown) {
      if (faultOf(thrown).kind !== 'unavailable') throw thrown
      report('phase database lost')
    }
  }
}

/** Each writes one after the other, for ever. */
function callers(count: number, kind: string, write: (id: string) => Promise<unknown>): Promise<never>[] {
  return Array.from({ length: count }, async (_, caller) => {
    for (let number = 0; ; number++) {
      const id = `${life}-${caller}-${number}`
      try {
        await write(id)
        report(`${kind} ${id}`)
      } catch (thrown) {
        // What was not reported may or may not be there; the next write has a name of its own.
        if (faultOf(thrown).kind !== 'unavailable') throw thrown
        report('phase database lost')
        await untilItWorks(startDatabase)
      }
    }
  })
}

async function writeMessages(database: Database, ids: readonly string[]): Promise<true[]> {
  const raws = ids.map((id) => `MSH|^~\\&|${id}|`.padEnd(1_024, 'x'))
  const insert = sql`insert into faults.messages (id, raw) select * from unnest(${ids}::text[], ${raws}::text[])`
  await database.transaction((tx) => tx.commitWith([insert]))
  return ids.map(() => true)
}

async function writeTransaction(database: Database, id: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`insert into faults.transactions (id, parts) values (${id}, 2)`)
    for (const number of [1, 2]) {
      await tx.run(sql`insert into faults.parts (transaction_id, number) values (${id}, ${number})`)
    }
  })
}

// A parent that is gone closes this pipe: nobody would kill us any more.
process.stdin.on('end', () => process.exit(1)).resume()
main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exit(1)
})
