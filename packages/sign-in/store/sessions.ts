import type { Queryable } from '../../sql/database.ts'
import { runInSteps, stepRows } from '../../sql/in-steps.ts'
import { named, sql } from '../../sql/sql.ts'

export const sessionsTable = sql`sign_in.sessions`

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

type NewSession = Omit<SessionRow, 'tokenVersion' | 'refreshingUntil' | 'lastSeenAt'>

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

/** Removes the sessions of a service that are past their end, and the attempts that were given up, in small steps. */
export async function sweepSessions(service: string, now: Date, on: Queryable, signal: AbortSignal): Promise<void> {
  const steps = [
    sql`delete from sign_in.attempts where state_hash in (
      select state_hash from sign_in.attempts where expires_at <= ${now} and service = ${service} limit ${stepRows})`,
    sql`delete from sign_in.sessions where session_hash in (
      select session_hash from sign_in.sessions where expires_at <= ${now} and service = ${service} limit ${stepRows})`,
  ]
  for (const step of steps) await runInSteps(step, on, signal)
}
