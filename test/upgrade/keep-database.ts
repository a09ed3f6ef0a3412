/**
 * Keeps the rows of a database that runs, for upgrade.test.ts: `node test/upgrade/keep-database.ts <url> <file>`. Made once
 * for a version that others run, on a demo after `corridor tour --yes`, and never made again: it shows what that version wrote.
 */
import { writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { Client } from 'pg'

/** Of one machine and one start, or secret even in a demo. Every version makes them anew. */
const left = new Set(['bridge.copies', 'immunization.signing_keys', 'kit.migration_lock'])

const [url, file] = process.argv.slice(2)
if (url === undefined || file === undefined) throw new Error('Usage: keep-database.ts <database url> <file>')
const client = new Client({ connectionString: url })
await client.connect()
const { rows: tables } = await client.query<{ name: string }>(
  `select format('%s.%s', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema)' order by 1`,
)
const lines: string[] = []
for (const { name } of tables) {
  if (left.has(name)) continue
  const { rows } = await client.query<{ row: string }>(`select to_json(t)::text as row from ${name} as t`)
  if (rows.length > 0) lines.push(`{"table":"${name}","rows":[${rows.map(({ row }) => row).join(',')}]}`)
}
await client.end()
await writeFile(file, gzipSync(`${lines.join('\n')}\n`, { level: 9 }))
