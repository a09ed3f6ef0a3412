import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { assert, bug } from '../../faults/fault.ts'

/** The migrations of one owner: `0001-name.sql`, `0002-…` in a folder. The owner's schema is made by the migrator. */
export interface MigrationSet {
  readonly owner: string
  readonly folder: URL
}

export interface Migration {
  readonly owner: string
  readonly number: number
  readonly name: string
  /** How a person finds it: `consent/0001-records.sql`. */
  readonly file: string
  readonly checksum: string
  readonly text: string
}

/** Reads an owner's files in order; a name, a gap or a number that cannot be right is a bug of the release. */
export async function readMigrations({ owner, folder }: MigrationSet): Promise<Migration[]> {
  assert(/^[a-z][a-z0-9_]{0,40}$/.test(owner), `the owner of migrations must be a plain schema name, not ${owner}`)
  const base = folder.href.endsWith('/') ? folder : new URL(`${folder.href}/`)
  const names = (await readdir(base)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(names.map((name) => readMigration(owner, name, base)))
  for (const [index, { file, number }] of migrations.entries()) {
    const expected = index + 1
    if (number < expected) throw bug(`Migration ${file} has a number that another file has too. Give it the next one.`)
    if (number > expected) {
      throw bug(`Migration ${file} leaves a gap: number ${digits(expected)} is missing. Add it or renumber the file.`)
    }
  }
  return migrations
}

async function readMigration(owner: string, name: string, folder: URL): Promise<Migration> {
  const file = `${owner}/${name}`
  const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]
  if (number === undefined) throw bug(`Migration ${file} must be named like 0001-what-it-does.sql. Rename it.`)
  // Line ends are made one, so that a checkout on Windows has the same checksum.
  const text = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
  return { owner, number: Number(number), name, file, checksum: hash('sha256', text), text }
}

const digits = (number: number) => String(number).padStart(4, '0')
