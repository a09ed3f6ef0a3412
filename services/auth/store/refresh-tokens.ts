import type { Queryable } from '../../../packages/sql/database.ts'
import { named, sql } from '../../../packages/sql/sql.ts'
import type { Grant } from './grants.ts'
import { userColumns, type User } from './users.ts'

/** A refresh token's grant and user, whatever state the token is in. */
export interface RefreshableGrant {
  readonly grant: Grant
  readonly user: User
}

const grantColumns = sql`
  g.id as "grantId", g.client_id as "clientId", g.user_id as "userId", g.session_hash as "sessionHash",
  g.is_offline as "isOffline", g.scope, g.patient, g.encounter, g.signed_in_at as "signedInAt",
  g.expires_at as "grantExpiresAt"`

type Row = User & Omit<Grant, 'id' | 'expiresAt'> & { readonly grantId: string; readonly grantExpiresAt: Date }

/** The grant, as long as it and its user are alive, for this client only. */
export async function findRefreshableGrant(
  tokenHash: string,
  clientId: string,
  now: Date,
  on: Queryable,
): Promise<RefreshableGrant | undefined> {
  const row = await on.maybe<Row>(
    named(
      'auth-refreshable',
      sql`
    select ${userColumns}, ${grantColumns}
    from auth.refresh_tokens t
    join auth.grants g on g.id = t.grant_id
    join auth.users u on u.id = g.user_id and u.status = 'active'
    where t.token_hash = ${tokenHash} and g.client_id = ${clientId} and g.revoked_at is null and g.expires_at > ${now}`,
    ),
  )
  return row === undefined ? undefined : asGrant(row)
}

function asGrant(row: Row): RefreshableGrant {
  const { grantId, clientId, userId, sessionHash, isOffline, scope, patient, encounter, signedInAt, ...rest } = row
  const { grantExpiresAt, ...user } = rest
  const context = { scope, patient, encounter, signedInAt, expiresAt: grantExpiresAt }
  return { grant: { id: grantId, clientId, userId, sessionHash, isOffline, ...context }, user }
}

/**
 * Swaps a token for its successor. False when it was swapped before (or, with a leeway, before that), is past its end or
 * its grant has ended. Without a leeway no time is compared: of two at once, the later may have the earlier clock.
 */
export async function rotateRefreshToken(
  tokenHash: string,
  successor: { readonly tokenHash: string; readonly expiresAt: Date },
  times: { readonly now: Date; readonly reusableSince: Date | undefined },
  on: Queryable,
): Promise<boolean> {
  const made = await on.run(
    named(
      'auth-rotate',
      sql`
    with used as (
      update auth.refresh_tokens t set used_at = coalesce(t.used_at, ${times.now})
      from auth.grants g
      where t.token_hash = ${tokenHash} and g.id = t.grant_id and g.revoked_at is null and t.expires_at > ${times.now}
        and (t.used_at is null or t.used_at > ${times.reusableSince ?? null})
      returning t.grant_id
    ), touched as (
      update auth.grants g set last_used_at = ${times.now} from used where g.id = used.grant_id
    )
    insert into auth.refresh_tokens (token_hash, grant_id, issued_at, expires_at)
    select ${successor.tokenHash}, grant_id, ${times.now}::timestamptz, ${successor.expiresAt}::timestamptz from used`,
    ),
  )
  return made === 1
}

export interface RefreshTokenState {
  readonly grantId: string
  readonly clientId: string
  readonly isUsed: boolean
  readonly isAlive: boolean
}

/** Why a token could not be swapped, and whether introspection calls it active. */
export function refreshTokenState(tokenHash: string, now: Date, on: Queryable): Promise<RefreshTokenState | undefined> {
  return on.maybe(sql`
    select t.grant_id as "grantId", g.client_id as "clientId", t.used_at is not null as "isUsed",
      t.used_at is null and t.expires_at > ${now} and g.revoked_at is null and g.expires_at > ${now} as "isAlive"
    from auth.refresh_tokens t join auth.grants g on g.id = t.grant_id where t.token_hash = ${tokenHash}`)
}
