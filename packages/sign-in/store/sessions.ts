import type { Queryable } from '../../sql/database.ts'
import { named, sql } from '../../sql/sql.ts'

/** A session as its row has it. */
export interface SessionRow {
  readonly sessionHash: string
  readonly service: string
  readonly subject: string
  readonly displayName: string
  readonly sealedTokens: string
  readonly accessExpiresAt: Date
  readonly tokenVersion: number
  readonly refreshingUntil: Date | null
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}

export type NewSession = Omit<SessionRow, 'tokenVersion' | 'refreshingUntil' | 'lastSeenAt'>

export async function addSession(session: NewSession, now: Date, on: Queryable): Promise<void> {
  const { sessionHash, service, subject, displayName, sealedTokens, accessExpiresAt, expiresAt } = session
  await on.run(sql`
    insert into sign_in.sessions (session_hash, service, subject, display_name, sealed_tokens, access_expires_at,
      token_version, created_at, last_seen_at, expires_at)
    values (${sessionHash}, ${service}, ${subject}, ${displayName}, ${sealedTokens}, ${accessExpiresAt}, 1, ${now},
      ${now}, ${expiresAt})`)
}

/** The session of this digest if it is alive: not ended, not past its end, not idle too long. */
export function findSession(
  { sessionHash, service }: { readonly sessionHash: string; readonly service: string },
  times: { readonly now: Date; readonly idleSince: Date },
  on: Queryable,
): Promise<SessionRow | undefined> {
  return on.maybe(
    named(
      'sign-in-session',
      sql`
    select session_hash as "sessionHash", service, subject, display_name as "displayName",
      sealed_tokens as "sealedTokens", access_expires_at as "accessExpiresAt", token_version as "tokenVersion",
      refreshing_until as "refreshingUntil", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
    from sign_in.sessions
    where session_hash = ${sessionHash} and service = ${service} and ended_at is null and expires_at > ${times.now}
      and last_seen_at > ${times.idleSince}`,
    ),
  )
}

export async function touchSession(sessionHash: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`update sign_in.sessions set last_seen_at = ${now} where session_hash = ${sessionHash}`)
}

export async function endSession(sessionHash: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`
    update sign_in.sessions set ended_at = ${now} where session_hash = ${sessionHash} and ended_at is null`)
}

/** At every service: who signs out means all of them. */
export async function endSessionsOf(subject: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`update sign_in.sessions set ended_at = ${now} where subject = ${subject} and ended_at is null`)
}

/** Which tokens are meant: a refresh of tokens that were replaced meanwhile is none. */
export interface TokenVersion {
  readonly sessionHash: string
  readonly tokenVersion: number
}

/** Takes the right to refresh these tokens until the given time. False where somebody else has it, or has used it. */
export async function claimRefresh(
  { sessionHash, tokenVersion }: TokenVersion,
  times: { readonly now: Date; readonly until: Date },
  on: Queryable,
): Promise<boolean> {
  const claimed = await on.run(sql`
    update sign_in.sessions set refreshing_until = ${times.until}
    where session_hash = ${sessionHash} and token_version = ${tokenVersion} and ended_at is null
      and (refreshing_until is null or refreshing_until <= ${times.now})`)
  return claimed === 1
}

export async function saveRefreshed(
  { sessionHash, tokenVersion }: TokenVersion,
  fresh: { readonly sealedTokens: string; readonly accessExpiresAt: Date },
  on: Queryable,
): Promise<boolean> {
  const saved = await on.run(sql`
    update sign_in.sessions
    set sealed_tokens = ${fresh.sealedTokens}, access_expires_at = ${fresh.accessExpiresAt},
      token_version = ${tokenVersion + 1}, refreshing_until = null
    where session_hash = ${sessionHash} and token_version = ${tokenVersion} and ended_at is null`)
  return saved === 1
}

/** Nobody tries again before the given time: an authorization server that is down is not asked by every request. */
export async function postponeRefresh({ sessionHash, tokenVersion }: TokenVersion, until: Date, on: Queryable) {
  await on.run(sql`
    update sign_in.sessions set refreshing_until = ${until}
    where session_hash = ${sessionHash} and token_version = ${tokenVersion}`)
}

export async function sweepSessions(now: Date, on: Queryable): Promise<void> {
  await on.run(sql`delete from sign_in.attempts where expires_at <= ${now}`)
  await on.run(sql`delete from sign_in.sessions where expires_at <= ${now}`)
}
