import { sql } from '../../../packages/sql/sql.ts'
import type { Grant } from './grants.ts'
import type { User } from './users.ts'

/** A grant and whose it is, read together (`grantColumns` of g and `userColumns` of u). */
export interface GrantAndUser {
  readonly grant: Grant
  readonly user: User
}

export const grantColumns = sql`
  g.id as "grantId", g.client_id as "clientId", g.user_id as "userId", g.session_hash as "sessionHash",
  g.is_offline as "isOffline", g.scope, g.patient, g.encounter, g.signed_in_at as "signedInAt",
  g.expires_at as "grantExpiresAt"`

export type GrantAndUserRow = User &
  Omit<Grant, 'id' | 'expiresAt'> & { readonly grantId: string; readonly grantExpiresAt: Date }

export function grantAndUser(row: GrantAndUserRow): GrantAndUser {
  const { grantId, clientId, userId, sessionHash, isOffline, scope, patient, encounter, signedInAt, ...rest } = row
  const { grantExpiresAt, ...user } = rest
  const context = { scope, patient, encounter, signedInAt, expiresAt: grantExpiresAt }
  return { grant: { id: grantId, clientId, userId, sessionHash, isOffline, ...context }, user }
}
