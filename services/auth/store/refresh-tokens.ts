import type { Queryable } from '../../../packages/sql/database.ts'
import { kept, named, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { AuditedRequest } from './audit-events.ts'
import { grantAndUser, grantAndUserColumns, type GrantAndUser, type GrantAndUserRow } from './grant-and-user.ts'

/** The grant, as long as it and its user are alive, for this client only. */
export async function findRefreshableGrant(
  tokenHash: string,
  clientId: string,
  now: Date,
  on: Queryable,
): Promise<GrantAndUser | undefined> {
  const row = await on.maybe<GrantAndUserRow>(
    named(
      'auth-refreshable',
      sql`
    select ${grantAndUserColumns(sql`g`, sql`u`)}
    from auth.refresh_tokens t
    join auth.grants g on g.id = t.grant_id
    join auth.users u on u.id = g.user_id and u.status = 'active'
    where t.token_hash = ${tokenHash} and g.client_id = ${clientId} and g.revoked_at is null and g.expires_at > ${now}`,
    ),
  )
  return row === undefined ? undefined : grantAndUser(row)
}

/** A refresh token as a client presents it, and the one that shall take its place. */
export interface PresentedToken extends AuditedRequest {
  readonly tokenHash: string
  readonly clientId: string
  readonly successorHash: string
}

export interface SwappedToken extends GrantAndUser {
  /** The end of the successor. */
  readonly refreshExpiresAt: Date
}

export interface SwapTimes {
  readonly now: Date
  /** When an unused successor ends, unless its grant ends before. */
  readonly idleUntil: Date
  /** A token that was swapped after this is taken once more; null where none is. */
  readonly reusableSince: Date | null
}

type SwappedRow = GrantAndUserRow & { readonly place: number; readonly refreshExpiresAt: Date }

/**
 * Swaps each token for its successor and writes that down, in one statement; no token may be there twice. One that was
 * swapped before (or, with a leeway, before that), is past its end, of another client or of a disabled one, or whose
 * grant or user has ended, is left alone. Without a leeway no time is compared: of two at once, the later may have the
 * earlier clock. `swappedTokens` reads its rows.
 */
export function swapRefreshTokens(
  tokens: readonly PresentedToken[],
  { now, idleUntil, reusableSince }: SwapTimes,
): Statement {
  const of = (key: keyof PresentedToken) => tokens.map((token) => token[key])
  return kept(
    'auth-swap',
    sql`
    with presented as (
      select * from unnest(${of('tokenHash')}::text[], ${of('clientId')}::text[], ${of('successorHash')}::text[],
        ${of('auditId')}::uuid[], ${of('peer')}::text[], ${of('requestId')}::text[])
        with ordinality as p (token_hash, client_id, successor_hash, audit_id, peer, request_id, place)
    ), alive as materialized (
      -- One look by key after the other, whatever the planner believes about tables that were empty when it planned.
      -- All that the answer says is taken along: to look once more would cost as much as the first look.
      select p.*, g.id, g.scope, g.patient, g.encounter, g.signed_in_at, u.username, u.subject, u.fhir_user,
        u.display_name, u.roles, u.organisation, least(${idleUntil}::timestamptz, g.expires_at) as expires_at
      from presented p
      cross join lateral (select t.grant_id from auth.refresh_tokens t where t.token_hash = p.token_hash limit 1) t
      cross join lateral (select g.* from auth.grants g where g.id = t.grant_id limit 1) g
      cross join lateral (select u.* from auth.users u where u.id = g.user_id limit 1) u
      cross join lateral (select k.status from auth.clients k where k.client_id = g.client_id limit 1) k
      where g.client_id = p.client_id and g.revoked_at is null and g.expires_at > ${now}
        and u.status = 'active' and k.status = 'active'
    ), used as (
      update auth.refresh_tokens t set used_at = coalesce(t.used_at, ${now}) from alive a
      where t.token_hash = a.token_hash and t.expires_at > ${now}
        and (t.used_at is null or t.used_at > ${reusableSince})
      returning a.*
    ), touched as (
      update auth.grants g set last_used_at = ${now} from used where g.id = used.id
    ), successors as (
      insert into auth.refresh_tokens (token_hash, grant_id, issued_at, expires_at)
      select successor_hash, id, ${now}::timestamptz, expires_at from used
    ), told as (
      insert into auth.audit_events (id, at, event, outcome, subject, client_id, grant_id, patient, peer, request_id)
      select audit_id, ${now}::timestamptz, 'token refreshed', 'success', subject, client_id, id, patient, peer,
        request_id
      from used
    )
    select used.place::integer, used.expires_at as "refreshExpiresAt", ${grantAndUserColumns(sql`used`, sql`used`)}
    from used`,
  )
}

/** In the order of the tokens; undefined for one that was left alone. */
export function swappedTokens(
  tokens: readonly PresentedToken[],
  rows: readonly unknown[],
): (SwappedToken | undefined)[] {
  // Sound: they are the rows of the statement above.
  const byPlace = new Map(
    (rows as readonly SwappedRow[]).map((row) => [
      row.place,
      { ...grantAndUser(row), refreshExpiresAt: row.refreshExpiresAt },
    ]),
  )
  return tokens.map((_token, index) => byPlace.get(index + 1))
}

interface RefreshTokenState {
  readonly grantId: string
  readonly clientId: string
  readonly usedAt: Date | null
  readonly isAlive: boolean
}

/** Why a token could not be swapped, and whether introspection calls it active. */
export function refreshTokenState(tokenHash: string, now: Date, on: Queryable): Promise<RefreshTokenState | undefined> {
  return on.maybe(
    named(
      'auth-refresh-state',
      sql`
    select t.grant_id as "grantId", g.client_id as "clientId", t.used_at as "usedAt",
      t.used_at is null and t.expires_at > ${now} and g.revoked_at is null and g.expires_at > ${now} as "isAlive"
    from auth.refresh_tokens t join auth.grants g on g.id = t.grant_id where t.token_hash = ${tokenHash}`,
    ),
  )
}
