import { sql } from '../../../packages/sql/sql.ts'
import type { Grant } from './grants.ts'
import type { User } from './users.ts'

/** What tokens say of a grant and of its user, and nothing more. */
export interface GrantAndUser {
  readonly grant: GrantInToken
  readonly user: UserInToken
}

export type GrantInToken = Pick<Grant, 'id' | 'scope' | 'patient' | 'encounter' | 'signedInAt'>
export type UserInToken = Pick<User, 'username' | 'subject' | 'fhirUser' | 'displayName' | 'roles' | 'organisation'>

/** Of a grant g and its user u. */
export const grantAndUserColumns = sql`
  g.id, g.scope, g.patient, g.encounter, g.signed_in_at as "signedInAt", u.username, u.subject,
  u.fhir_user as "fhirUser", u.display_name as "displayName", u.roles, u.organisation`

export type GrantAndUserRow = GrantInToken & UserInToken

export function grantAndUser(row: GrantAndUserRow): GrantAndUser {
  const { id, scope, patient, encounter, signedInAt, username, subject, fhirUser, displayName, roles, organisation } =
    row
  return {
    grant: { id, scope, patient, encounter, signedInAt },
    user: { username, subject, fhirUser, displayName, roles, organisation },
  }
}
