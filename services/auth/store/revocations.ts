import type { Queryable } from '../../../packages/sql/database.ts'
import { named, sql } from '../../../packages/sql/sql.ts'

/** Every revocation that can still concern a living access token. */
export interface Revocations {
  readonly grants: readonly string[]
  readonly tokens: readonly string[]
}

export async function revokeToken(
  tokenId: string,
  times: { readonly now: Date; readonly forgetAt: Date },
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    insert into auth.revocations (kind, id, revoked_at, expires_at)
    values ('token', ${tokenId}, ${times.now}, ${times.forgetAt}) on conflict (kind, id) do nothing`)
}

export async function currentRevocations(now: Date, on: Queryable): Promise<Revocations> {
  const rows = await on.many<{ kind: 'grant' | 'token'; id: string }>(
    sql`select kind, id from auth.revocations where expires_at > ${now} order by kind, id`,
  )
  const idsOf = (wanted: 'grant' | 'token') => rows.filter(({ kind }) => kind === wanted).map(({ id }) => id)
  return { grants: idsOf('grant'), tokens: idsOf('token') }
}

/** The answer for one token at this moment, for introspection. */
export async function isRevoked(
  token: { readonly tokenId: string; readonly grantId: string | undefined },
  on: Queryable,
): Promise<boolean> {
  const { found } = await on.one<{ found: boolean }>(
    named(
      'auth-revoked',
      sql`
    select exists (
      select from auth.revocations
      where (kind = 'token' and id = ${token.tokenId}) or (kind = 'grant' and id = ${token.grantId ?? ''})
    ) as found`,
    ),
  )
  return found
}
