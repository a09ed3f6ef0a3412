import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { EndedGrant } from './grants.ts'

/** Everything that an authorization code is bound to. */
interface Code {
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  readonly sessionHash: string
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly scope: string
  readonly patient: string | null
  readonly encounter: string | null
  readonly nonce: string | null
  readonly signedInAt: Date
  readonly sessionExpiresAt: Date
  readonly expiresAt: Date
}

export async function addCode(codeHash: string, code: Code, on: Queryable): Promise<void> {
  await on.run(sql`
    insert into auth.codes (code_hash, grant_id, client_id, user_id, session_hash, redirect_uri, code_challenge, scope,
      patient, encounter, nonce, signed_in_at, session_expires_at, expires_at)
    values (${codeHash}, ${code.grantId}, ${code.clientId}, ${code.userId}, ${code.sessionHash}, ${code.redirectUri},
      ${code.codeChallenge}, ${code.scope}, ${code.patient}, ${code.encounter}, ${code.nonce}, ${code.signedInAt},
      ${code.sessionExpiresAt}, ${code.expiresAt})`)
}

/** The grant of a code that was taken before, and whose it is: its tokens may be in the wrong hands. */
export function grantOfUsedCode(codeHash: string, on: Queryable): Promise<EndedGrant | undefined> {
  return on.maybe(sql`
    select c.grant_id as "grantId", c.client_id as "clientId", u.subject, c.patient
    from auth.codes c join auth.users u on u.id = c.user_id
    where c.code_hash = ${codeHash} and c.used_at is not null`)
}

/**
 * Removes the codes that an app has of a user and has not exchanged. One whose exchange is under way is waited for: its
 * grant is there afterwards. They are not merely past their end then: by the clock of another copy they might not be.
 */
export async function removeCodesOfApp(
  { clientId, userId }: Pick<Code, 'clientId' | 'userId'>,
  now: Date,
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    delete from auth.codes
    where expires_at > ${now}::timestamptz - interval '5 minutes' and client_id = ${clientId} and user_id = ${userId}
      and used_at is null`)
}
