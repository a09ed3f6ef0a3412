import { cp, mkdtempDisposable, mkdir, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { migrationSets } from '../../apps/corridor/run/corridor-database.ts'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { migrate, type MigrationSet } from '../../packages/sql/migrate/migrate.ts'

/** What keep-database.ts wrote: each table as the JSON of its rows, which only PostgreSQL reads, so that no number suffers. */
export class KeptDatabase {
  readonly #rows: ReadonlyMap<string, string>

  private constructor(rows: ReadonlyMap<string, string>) {
    this.#rows = rows
  }

  static async read(name: string): Promise<KeptDatabase> {
    const text = gunzipSync(await readFile(new URL(name, databases))).toString()
    const lines = [...text.matchAll(/^\{"table":"([^"]+)","rows":(.+)\}$/gm)]
    return new KeptDatabase(new Map(lines.map(([, table = '', rows = '']) => [table, rows])))
  }

  /** Rows of a table for a test to look at. */
  rows<Row>(table: string): Row[] {
    // Sound: each table was kept with all its columns, and a test names those that it looks at.
    return JSON.parse(this.#rows.get(table) ?? '[]') as Row[]
  }

  /** Makes an empty database what it was: the tables by the migrations of then, and their rows. */
  async restore(url: string): Promise<void> {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'corridor-upgrade-'))
    await migrate(url, await this.#setsOfThen(folder.path))
    const tables = [...this.#rows].filter(([table]) => table !== 'kit.migrations')
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      await client.query(`truncate ${tables.map(([table]) => table).join()} cascade`)
      // In one statement: rows refer to each other in an order that nobody has to know.
      const parts = tables.map(
        ([table], place) =>
          `part_${place} as (insert into ${table} overriding system value
            select * from json_populate_recordset(null::${table}, $${place + 1}::json))`,
      )
      const rows = tables.map(([, text]) => text)
      await client.query(`with ${parts.join()} select`, rows)
    } finally {
      await client.end()
    }
  }

  async #setsOfThen(folder: string): Promise<MigrationSet[]> {
    const applied = this.rows<{ owner: string; number: number }>('kit.migrations')
    const sets: MigrationSet[] = []
    for (const set of migrationSets(serviceNames)) {
      const count = applied.filter(({ owner }) => owner === set.owner).length
      const copy = join(folder, set.owner)
      await mkdir(copy)
      const files = (await readdir(set.folder)).sort().slice(0, count)
      for (const file of files) await cp(join(fileURLToPath(set.folder), file), join(copy, file))
      if (count > 0) sets.push({ owner: set.owner, folder: pathToFileURL(copy) })
    }
    return sets
  }
}

const databases = new URL('databases/', import.meta.url)

/** One for each version that wrote differently from the one before. */
export const keptDatabases = () => readdir(databases)
