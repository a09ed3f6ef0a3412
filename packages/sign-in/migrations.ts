import type { MigrationSet } from '../sql/migrate/migrate.ts'

/** The tables of this package; services that have pages share them. */
export const signInMigrations: MigrationSet = {
  owner: 'sign_in',
  folder: new URL('migrations/', import.meta.url),
}
