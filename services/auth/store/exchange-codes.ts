import { kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { AuditedRequest } from './audit-events.ts'
import { grantAndUser, grantAndUserColumns, type GrantAndUser, type GrantAndUserRow } from './grant-and-user.ts'

/** A code as a client presents it. */
export interface PresentedCode extends AuditedRequest {
  readonly codeHash: string
  readonly clientId: string
  readonly redirectUri: string
  /** Of the verifier; null where it was none. */
  readonly codeChallenge: string | null
  /** Of the refresh token that it shall give. */
  readonly tokenHash: string
  /** How long a grant with offline access lasts. */
  readonly offlineUntil: Date
}

/** Why a code that was there is not exchanged. */
type CodeRefusal = 'expired' | 'redirect_uri' | 'code_verifier' | 'user disabled' | 'client disabled' | 'signed out'

/** What came of a code that was still there to take. */
export type TakenCode =
  | { readonly is: 'refused'; readonly grantId: string; readonly why: CodeRefusal }
  | (GrantAndUser & { readonly is: 'granted'; readonly nonce: string | null; readonly refreshExpiresAt: Date })

type Row = GrantAndUserRow & {
  readonly place: number
  readonly why: CodeRefusal | null
  readonly nonce: string | null
  readonly refreshExpiresAt: Date
}

/**
 * Takes each code once: whoever comes second, even at the same moment, gets nothing. What was taken is checked against
 * what was presented with it, and where all fits it becomes a grant with its first refresh token. What came of it is
 * written down. All in one statement, so that it costs one round trip; `takenCodes` reads its rows.
 */
export function exchangeCodes(
  codes: readonly PresentedCode[],
  { now, idleUntil }: { readonly now: Date; readonly idleUntil: Date },
): Statement {
  const of = <Key extends keyof PresentedCode>(key: Key) => codes.map((code) => code[key])
  return kept(
    'auth-exchange',
    sql`
    with presented as (
      select * from unnest(${of('codeHash')}::text[], ${of('clientId')}::text[], ${of('redirectUri')}::text[],
        ${of('codeChallenge')}::text[], ${of('tokenHash')}::text[], ${of('offlineUntil')}::timestamptz[],
        ${of('auditId')}::uuid[], ${of('peer')}::text[], ${of('requestId')}::text[])
        with ordinality as p (code_hash, client_id, redirect_uri, code_challenge, token_hash, offline_until, audit_id,
          peer, request_id, place)
    ), taken as (
      update auth.codes c set used_at = ${now} from presented p
      where c.code_hash = p.code_hash and c.client_id = p.client_id and c.used_at is null
      returning p.place, p.token_hash, p.offline_until, p.audit_id, p.peer, p.request_id, c.grant_id as id, c.client_id,
        c.user_id, c.session_hash, c.scope, c.patient, c.encounter, c.nonce, c.signed_in_at, c.session_expires_at,
        'offline_access' = any (string_to_array(c.scope, ' ')) as is_offline,
        case when c.expires_at <= ${now} then 'expired'
          when c.redirect_uri <> p.redirect_uri then 'redirect_uri'
          when c.code_challenge is distinct from p.code_challenge then 'code_verifier' end as why
    ), logins as materialized (
      -- Locked: a sign-out at the same moment either comes first, and then there is no login, or finds the grant.
      select s.session_hash from auth.sessions s
      where s.session_hash in (select session_hash from taken) and s.ended_at is null for share
    ), apps as materialized (
      -- Locked for the same reason: one that is disabled at this moment has no grant, or one that is found and revoked.
      select k.client_id from auth.clients k
      where k.client_id in (select client_id from taken) and k.status = 'active' for share
    ), judged as (
      select t.*, u.username, u.subject, u.fhir_user, u.display_name, u.roles, u.organisation,
        case when t.is_offline then t.offline_until else t.session_expires_at end as expires_at,
        coalesce(t.why, case when u.id is null then 'user disabled' when k.client_id is null then 'client disabled'
          when l.session_hash is null then 'signed out' end) as refusal
      from taken t
      left join auth.users u on u.id = t.user_id and u.status = 'active'
      left join apps k on k.client_id = t.client_id
      left join logins l on l.session_hash = t.session_hash
    ), granted as (
      insert into auth.grants (id, client_id, user_id, session_hash, is_offline, scope, patient, encounter,
        signed_in_at, created_at, last_used_at, expires_at)
      select id, client_id, user_id, session_hash, is_offline, scope, patient, encounter, signed_in_at,
        ${now}::timestamptz, ${now}::timestamptz, expires_at
      from judged where refusal is null
    ), first_tokens as (
      insert into auth.refresh_tokens (token_hash, grant_id, issued_at, expires_at)
      select token_hash, id, ${now}::timestamptz, least(${idleUntil}::timestamptz, expires_at)
      from judged where refusal is null
    ), told as (
      insert into auth.audit_events (id, at, event, outcome, subject, client_id, grant_id, patient, peer, request_id,
        reason)
      select audit_id, ${now}::timestamptz, 'token issued', 'success', subject, client_id, id, patient, peer,
        request_id, null
      from judged where refusal is null
      union all
      select audit_id, ${now}::timestamptz, 'code exchanged', 'failure', subject, client_id, id, patient, peer,
        request_id, refusal
      from judged where refusal is not null
    )
    select j.place::integer, j.refusal as why, j.nonce, least(${idleUntil}::timestamptz, j.expires_at) as "refreshExpiresAt",
      ${grantAndUserColumns(sql`j`, sql`j`)}
    from judged j`,
  )
}

/** In the order of the codes; undefined for those that are unknown, of another client or used. */
export function takenCodes(codes: readonly PresentedCode[], rows: readonly unknown[]): (TakenCode | undefined)[] {
  // Sound: they are the rows of the statement above.
  const byPlace = new Map((rows as readonly Row[]).map((row) => [row.place, row]))
  return codes.map((_code, index) => {
    const row = byPlace.get(index + 1)
    return row === undefined ? undefined : takenCode(row)
  })
}

function takenCode(row: Row): TakenCode {
  const { why, nonce, refreshExpiresAt } = row
  if (why !== null) return { is: 'refused', grantId: row.id, why }
  return { is: 'granted', ...grantAndUser(row), nonce, refreshExpiresAt }
}
