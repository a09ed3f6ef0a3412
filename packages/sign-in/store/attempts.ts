import type { Queryable } from '../../sql/database.ts'
import { sql } from '../../sql/sql.ts'

/** Somebody who was sent to the authorization server and is expected back with a code. */
export interface Attempt {
  readonly sealedVerifier: string
  readonly nonce: string
  readonly returnTo: string
}

interface AttemptKey {
  readonly stateHash: string
  readonly browserHash: string
  readonly service: string
}

export async function addAttempt(
  { stateHash, browserHash, service }: AttemptKey,
  { sealedVerifier, nonce, returnTo }: Attempt,
  expiresAt: Date,
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    insert into sign_in.attempts (state_hash, browser_hash, service, sealed_verifier, nonce, return_to, expires_at)
    values (${stateHash}, ${browserHash}, ${service}, ${sealedVerifier}, ${nonce}, ${returnTo}, ${expiresAt})`)
}

/** Each is good once, and only in the browser that began it. */
export function takeAttempt({ stateHash, browserHash, service }: AttemptKey, now: Date, on: Queryable) {
  return on.maybe<Attempt>(sql`
    delete from sign_in.attempts
    where state_hash = ${stateHash} and browser_hash = ${browserHash} and service = ${service} and expires_at > ${now}
    returning sealed_verifier as "sealedVerifier", nonce, return_to as "returnTo"`)
}
