import { inject } from 'vitest'
import { freshDatabase, freshTemplate, type DatabaseWish, type Template, type TestDatabase } from './fresh-database.ts'
import './vitest/provided.ts'

export type { Template, TestDatabase }

/** A database of the test's own: empty, or a copy of the template. Outside vitest use fresh-database.ts. */
export function testDatabase(options: DatabaseWish = {}): Promise<TestDatabase> {
  return freshDatabase(testServer(), options)
}

/** A template that is prepared (migrated, say) once a run, whichever test asks first. */
export function templateDatabase(name: string, prepare: (url: string) => Promise<void>): Promise<Template> {
  return freshTemplate(testServer(), name, prepare)
}

/** The PostgreSQL of this run of tests. */
export const testServer = () => ({ url: inject('postgresUrl'), run: inject('postgresRun') })
