import type { Queryable } from '../../../packages/sql/database.ts'
import { named, sql } from '../../../packages/sql/sql.ts'

/** False when the client has used an assertion with this id before. */
export async function takeAssertion(
  clientId: string,
  jtiHash: string,
  expiresAt: Date,
  on: Queryable,
): Promise<boolean> {
  const added = await on.run(
    named(
      'auth-assertion',
      sql`
    insert into auth.client_assertions (client_id, jti_hash, expires_at)
    values (${clientId}, ${jtiHash}, ${expiresAt}) on conflict (client_id, jti_hash) do nothing`,
    ),
  )
  return added === 1
}
