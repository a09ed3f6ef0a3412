import type { Queryable, Transaction } from '../../../packages/sql/database.ts'
import { named, sql } from '../../../packages/sql/sql.ts'
import type { Revocations } from '../../../packages/tokens/revocation-list.ts'
import type { Revoking } from './grants.ts'

export async function revokeToken(
  { tokenId, grantId }: RevocableToken,
  { now, forgetAt, tell }: Revoking,
  on: Transaction,
): Promise<void> {
  await on.run(sql`
    insert into auth.revocations (kind, id, grant_id, revoked_at, expires_at)
    values ('token', ${tokenId}, ${grantId ?? null}, ${now}, ${forgetAt})
    on conflict (kind, id) do nothing`)
  on.afterCommit(() => tell({ grants: [], tokens: [tokenId] }))
}

/** How many tokens of a grant are on the list by themselves. */
export async function revokedTokensOf(grantId: string, now: Date, on: Queryable): Promise<number> {
  const { count } = await on.one<{ count: number }>(sql`
    select count(*)::integer as count from auth.revocations where grant_id = ${grantId} and expires_at > ${now}`)
  return count
}

/** Takes the tokens of a grant off the list, where the grant itself stands there: it does so longer than each of them. */
export async function forgetTokensOf(grantId: string, on: Queryable): Promise<void> {
  await on.run(sql`
    delete from auth.revocations where kind = 'token' and grant_id = ${grantId}
      and exists (select from auth.revocations r where r.kind = 'grant' and r.id = ${grantId})`)
}

export async function currentRevocations(now: Date, on: Queryable): Promise<Revocations> {
  const rows = await on.many<{ kind: 'grant' | 'token'; id: string }>(
    sql`select kind, id from auth.revocations where expires_at > ${now} order by kind, id`,
  )
  const idsOf = (wanted: 'grant' | 'token') => rows.filter(({ kind }) => kind === wanted).map(({ id }) => id)
  return { grants: idsOf('grant'), tokens: idsOf('token') }
}

export interface RevocableToken {
  readonly tokenId: string
  readonly grantId: string | undefined
}

/** Which of these tokens are revoked at this moment, they themselves or their grants: for introspection. */
export async function areRevoked(tokens: readonly RevocableToken[], on: Queryable): Promise<boolean[]> {
  const rows = await on.many<{ place: number }>(
    named(
      'auth-revoked',
      sql`
    select p.place::integer
    from unnest(${tokens.map(({ tokenId }) => tokenId)}::text[], ${tokens.map(({ grantId }) => grantId ?? '')}::text[])
      with ordinality as p (token_id, grant_id, place)
    cross join lateral (
      select from auth.revocations r where r.kind = 'token' and r.id = p.token_id
      union all
      select from auth.revocations r where r.kind = 'grant' and r.id = p.grant_id
      limit 1
    ) r`,
    ),
  )
  const revoked = new Set(rows.map(({ place }) => place))
  return tokens.map((_token, index) => revoked.has(index + 1))
}
