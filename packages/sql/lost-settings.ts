import type { Database } from './queryable.ts'
import { sessionSettings, type SessionOptions } from './session-settings.ts'
import { sql } from './sql.ts'

/**
 * What sessions were told and are not like, in words: a pooler on the way may take the first message for itself, and drop of
 * it what it does not know.
 */
export async function lostSettings(database: Database, options: SessionOptions): Promise<readonly string[]> {
  const lost: string[] = []
  for (const keepsPlans of [false, true]) {
    const told = sessionSettings({ ...options, keepsPlans })
    const rows = await database.transaction(
      (tx) =>
        tx.many<{ name: string; setting: string }>(
          sql`select name, setting from pg_settings where name = any(${[...told.keys()]}::text[])`,
        ),
      keepsPlans ? { plans: 'kept' } : {},
    )
    const found = new Map(rows.map(({ name, setting }) => [name, setting]))
    for (const [name, value] of told) {
      const is = found.get(name)
      if (is !== value) lost.push(`${name} is ${is ?? 'not known'} and not ${value}`)
    }
  }
  return [...new Set(lost)]
}
