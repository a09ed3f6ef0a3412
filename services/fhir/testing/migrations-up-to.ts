import { copyFile, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { MigrationSet } from '../../../packages/sql/migrate/migrate.ts'
import { fhirMigrations } from './fhir-database.ts'

/** The tables as they once were. Whoever asks removes the folder. */
export async function migrationsUpTo(last: number): Promise<MigrationSet> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  const { folder: all } = fhirMigrations
  const names = (await readdir(all)).filter((name) => Number(name.slice(0, 4)) <= last)
  for (const name of names) await copyFile(new URL(name, all), join(folder, name))
  return { owner: 'fhir', folder: pathToFileURL(`${folder}/`) }
}
