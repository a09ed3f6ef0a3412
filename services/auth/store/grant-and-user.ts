import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Grant } from './grants.ts'
import type { User } from './users.ts'

/** What tokens say of a grant and of its user, and nothing more. */
export interface GrantAndUser {
  readonly grant: GrantInToken
  readonly user: UserInToken
}

export type GrantInToken = Pick<Grant, 'id' | 'scope' | 'patient' | 'encounter' | 'signedInAt'>
export type UserInToken = Pick<User, 'username' | 'subject' | 'fhirUser' | 'displayName' | 'roles' | 'organisation'>

/** By the names under which a statement has the two; they may be the same. */
export const grantAndUserColumns = (grant: Statement, user: Statement): Statement => sql`
  ${grant}.id, ${grant}.scope, ${grant}.patient, ${grant}.encounter, ${grant}.signed_in_at as "signedInAt",
  ${user}.username, ${user}.subject, ${user}.fhir_user as "fhirUser", ${user}.display_name as "displayName",
  ${user}.roles, ${user}.organisation`

export type GrantAndUserRow = GrantInToken & UserInToken

export function grantAndUser(row: GrantAndUserRow): GrantAndUser {
  const { id, scope, patient, encounter, signedInAt, username, subject, fhirUser, displayName, roles, organisation } =
    row
  return {
    grant: { id, scope, patient, encounter, signedInAt },
    user: { username, subject, fhirUser, displayName, roles, organisation },
  }
}
