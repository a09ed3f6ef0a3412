import type { Queryable } from '../../../packages/sql/database.ts'
import { named, sql } from '../../../packages/sql/sql.ts'
import { userColumns, type User } from './users.ts'

export interface Session {
  readonly sessionHash: string
  readonly user: User
  readonly signedInAt: Date
  readonly expiresAt: Date
}

export interface NewSession {
  readonly sessionHash: string
  readonly userId: string
  readonly expiresAt: Date
}

export async function addSession(session: NewSession, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`
    insert into auth.sessions (session_hash, user_id, signed_in_at, last_seen_at, expires_at)
    values (${session.sessionHash}, ${session.userId}, ${now}, ${now}, ${session.expiresAt})`)
}

type SessionRow = User & Omit<Session, 'user'> & { readonly lastSeenAt: Date }

/** The session of this digest if it is alive: not ended, not past its end, not idle too long, its user active. */
export async function findSession(
  sessionHash: string,
  times: { readonly now: Date; readonly idleSince: Date },
  on: Queryable,
): Promise<(Session & { readonly lastSeenAt: Date }) | undefined> {
  const row = await on.maybe<SessionRow>(
    named(
      'auth-session',
      sql`
    select ${userColumns}, s.session_hash as "sessionHash", s.signed_in_at as "signedInAt",
      s.expires_at as "expiresAt", s.last_seen_at as "lastSeenAt"
    from auth.sessions s join auth.users u on u.id = s.user_id and u.status = 'active'
    where s.session_hash = ${sessionHash} and s.ended_at is null and s.expires_at > ${times.now}
      and s.last_seen_at > ${times.idleSince}`,
    ),
  )
  if (row === undefined) return undefined
  const { sessionHash: found, signedInAt, expiresAt, lastSeenAt, ...user } = row
  return { sessionHash: found, signedInAt, expiresAt, lastSeenAt, user }
}

/** Whether somebody left this session without signing out, idle or not. */
export async function isLeftOpen(sessionHash: string, now: Date, on: Queryable): Promise<boolean> {
  const { found } = await on.one<{ found: boolean }>(sql`
    select exists (
      select from auth.sessions s
      where s.session_hash = ${sessionHash} and s.ended_at is null and s.expires_at > ${now}
    ) as found`)
  return found
}

export async function touchSession(sessionHash: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`update auth.sessions set last_seen_at = ${now} where session_hash = ${sessionHash}`)
}

export async function endSession(sessionHash: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`
    update auth.sessions set ended_at = ${now} where session_hash = ${sessionHash} and ended_at is null`)
}

export async function endSessionsOf(userIds: readonly string[], now: Date, on: Queryable): Promise<void> {
  await on.run(sql`
    update auth.sessions set ended_at = ${now} where user_id = any (${userIds}::uuid[]) and ended_at is null`)
}

/** Of everybody; how many there were. */
export const endAllSessions = (now: Date, on: Queryable): Promise<number> =>
  on.run(sql`update auth.sessions set ended_at = ${now} where ended_at is null`)
