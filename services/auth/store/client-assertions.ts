import type { Queryable } from '../../../packages/sql/database.ts'
import { kept, sql } from '../../../packages/sql/sql.ts'

/** What of a client assertion is remembered, as long as it could be shown again. */
export interface UsedAssertion {
  readonly clientId: string
  readonly jtiHash: string
  readonly expiresAt: Date
}

/** For each, whether it is its first use. None may be there twice. */
export async function takeAssertions(assertions: readonly UsedAssertion[], on: Queryable): Promise<boolean[]> {
  const of = <Key extends keyof UsedAssertion>(key: Key) => assertions.map((assertion) => assertion[key])
  const rows = await on.many<Pick<UsedAssertion, 'clientId' | 'jtiHash'>>(
    kept(
      'auth-assertions',
      sql`
    insert into auth.client_assertions (client_id, jti_hash, expires_at)
    select * from unnest(${of('clientId')}::text[], ${of('jtiHash')}::text[], ${of('expiresAt')}::timestamptz[])
      as used (client_id, jti_hash, expires_at)
    order by client_id, jti_hash
    on conflict (client_id, jti_hash) do nothing
    returning client_id as "clientId", jti_hash as "jtiHash"`,
    ),
  )
  const added = new Set(rows.map(keyOfAssertion))
  return assertions.map((assertion) => added.has(keyOfAssertion(assertion)))
}

export const keyOfAssertion = ({ clientId, jtiHash }: Pick<UsedAssertion, 'clientId' | 'jtiHash'>): string =>
  `${jtiHash} ${clientId}`
