import type { Queryable } from '../../../../packages/sql/database.ts'
import { sql } from '../../../../packages/sql/sql.ts'

export async function seededIds(on: Queryable): Promise<ReadonlySet<string>> {
  const rows = await on.many<{ id: string }>(sql`select id from bridge.seeded_subscriptions`)
  return new Set(rows.map(({ id }) => id))
}

export async function rememberSeeded(id: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`
    insert into bridge.seeded_subscriptions (id, seeded_at) values (${id}, ${now}) on conflict (id) do nothing`)
}
