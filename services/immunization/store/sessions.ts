import type { Queryable } from '../../../packages/sql/database.ts'
import { named, sql, type Statement } from '../../../packages/sql/sql.ts'

export const sessionsTable = sql`immunization.sessions`

/** For a refresh, which may change what a token is good for. */
export const keepScope = (scope: string): Statement => sql`scope = ${scope}`

/** A session as its row has it. */
export interface OpenSession {
  readonly sessionHash: string
  readonly issuer: string
  readonly patientId: string
  readonly subject: string | null
  readonly fhirUser: string | null
  readonly clinicianName: string | null
  readonly needPatientBanner: boolean
  readonly scope: string
  readonly sealedTokens: string
  readonly accessExpiresAt: Date
  readonly tokenVersion: number
  readonly refreshingUntil: Date | null
  readonly replacedOtherPatient: boolean
  readonly lastSeenAt: Date
  readonly expiresAt: Date
}

type NewSession = Omit<OpenSession, 'tokenVersion' | 'refreshingUntil' | 'lastSeenAt'>

export async function addSession(session: NewSession, now: Date, on: Queryable): Promise<void> {
  const { sessionHash, issuer, patientId, subject, fhirUser, clinicianName, needPatientBanner, scope } = session
  await on.run(sql`
    insert into immunization.sessions (session_hash, issuer, patient_id, subject, fhir_user, clinician_name,
      need_patient_banner, scope, sealed_tokens, access_expires_at, replaced_other_patient, created_at, last_seen_at,
      expires_at)
    values (${sessionHash}, ${issuer}, ${patientId}, ${subject}, ${fhirUser}, ${clinicianName}, ${needPatientBanner},
      ${scope}, ${session.sealedTokens}, ${session.accessExpiresAt}, ${session.replacedOtherPatient}, ${now}, ${now},
      ${session.expiresAt})`)
}

const columns = sql`
  session_hash as "sessionHash", issuer, patient_id as "patientId", subject, fhir_user as "fhirUser",
  clinician_name as "clinicianName", need_patient_banner as "needPatientBanner", scope,
  sealed_tokens as "sealedTokens", access_expires_at as "accessExpiresAt", token_version as "tokenVersion",
  refreshing_until as "refreshingUntil", replaced_other_patient as "replacedOtherPatient",
  last_seen_at as "lastSeenAt", expires_at as "expiresAt"`

/** The session of this digest if it is alive: not ended, not past its end, not idle too long. */
export function findSession(
  sessionHash: string,
  times: { readonly now: Date; readonly idleSince: Date },
  on: Queryable,
): Promise<OpenSession | undefined> {
  return on.maybe(
    named(
      'immunization-session',
      sql`
    select ${columns} from immunization.sessions
    where session_hash = ${sessionHash} and ended_at is null and expires_at > ${times.now}
      and last_seen_at > ${times.idleSince}`,
    ),
  )
}

/** Whether there ever was such a session: who had one is told that it is over, others that there is none. */
export async function isKnownSession(sessionHash: string, on: Queryable): Promise<boolean> {
  const { known } = await on.one<{ known: boolean }>(sql`
    select exists (select from immunization.sessions where session_hash = ${sessionHash}) as known`)
  return known
}

export async function touchSession(sessionHash: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`update immunization.sessions set last_seen_at = ${now} where session_hash = ${sessionHash}`)
}

export async function endSession(sessionHash: string, now: Date, on: Queryable): Promise<void> {
  await on.run(sql`
    update immunization.sessions set ended_at = ${now} where session_hash = ${sessionHash} and ended_at is null`)
}

/** The same of one that may be idle or past its end; of several who try, the first gets it. */
export function takeLeftSession(sessionHash: string, now: Date, on: Queryable): Promise<OpenSession | undefined> {
  return on.maybe(sql`
    update immunization.sessions set ended_at = ${now} where session_hash = ${sessionHash} and ended_at is null
    returning ${columns}`)
}
