import { missing } from '../../../packages/faults/fault.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'

/** What the development viewer shows: written out, so that no name from an address becomes SQL and no secret a column. */
const tables: Readonly<Record<string, Statement>> = {
  users: sql`select username, subject, fhir_user, display_name, roles, organisation, source, status, created_at,
    '***' as password_hash, '***' as totp_secret from auth.users order by username limit 200`,
  clients: sql`select client_id, client_name, redirect_uris, launch_uri, grant_types, auth_methods, scope, roles,
    organisation, is_first_party, source, status, '***' as secret_hash from auth.clients order by client_id limit 200`,
  sessions: sql`select '***' as session_hash, user_id, signed_in_at, last_seen_at, expires_at, ended_at
    from auth.sessions order by signed_in_at desc limit 200`,
  launches: sql`select '***' as launch_hash, user_id, client_id, created_at, expires_at, used_at
    from auth.launches order by created_at desc limit 200`,
  codes: sql`select '***' as code_hash, grant_id, client_id, scope, expires_at, used_at
    from auth.codes order by expires_at desc limit 200`,
  grants: sql`select id, client_id, user_id, is_offline, scope, created_at, last_used_at, expires_at, revoked_at
    from auth.grants order by created_at desc limit 200`,
  refresh_tokens: sql`select '***' as token_hash, grant_id, issued_at, expires_at, used_at
    from auth.refresh_tokens order by issued_at desc limit 200`,
  revocations: sql`select kind, id, revoked_at, expires_at from auth.revocations order by revoked_at desc limit 200`,
  audit_events: sql`select at, event, outcome, username, subject, client_id, grant_id, peer, reason, operator
    from auth.audit_events order by id desc limit 200`,
}

export const consoleTables: readonly string[] = Object.keys(tables)

export function readConsoleTable(name: string, on: Queryable): Promise<Readonly<Record<string, unknown>>[]> {
  const statement = Object.hasOwn(tables, name) ? tables[name] : undefined
  if (statement === undefined) throw missing('There is nothing at this address.')
  return on.many(statement)
}
