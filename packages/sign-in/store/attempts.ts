import type { Queryable } from '../../sql/database.ts'
import { sql } from '../../sql/sql.ts'
import { waitingLimits } from '../waiting-limits.ts'

/** Somebody who was sent to the authorization server and is expected back with a code. */
interface Attempt {
  readonly sealedVerifier: string
  readonly nonce: string
  readonly returnTo: string
}

interface AttemptKey {
  readonly stateHash: string
  readonly browserHash: string
  readonly service: string
}

interface Begun {
  /** Where it came from. */
  readonly addressHash: string
  readonly now: Date
  readonly expiresAt: Date
}

/** False where as many wait as may. Those who come at the same moment may be a few more. */
export async function addAttempt(
  { stateHash, browserHash, service }: AttemptKey,
  { sealedVerifier, nonce, returnTo }: Attempt,
  { addressHash, now, expiresAt }: Begun,
  on: Queryable,
): Promise<boolean> {
  const { perAddressMax, max } = waitingLimits
  const added = await on.run(sql`
    insert into sign_in.attempts (state_hash, browser_hash, service, sealed_verifier, nonce, return_to, address_hash,
      expires_at)
    select ${stateHash}::text, ${browserHash}::text, ${service}::text, ${sealedVerifier}::text, ${nonce}::text,
      ${returnTo}::text, ${addressHash}::text, ${expiresAt}::timestamptz
    where ${perAddressMax} > (select count(*) from (
        select from sign_in.attempts where address_hash = ${addressHash} and expires_at > ${now}
        limit ${perAddressMax}) as of_address)
      and ${max} > (select count(*) from (
        select from sign_in.attempts where expires_at > ${now} limit ${max}) as of_all)`)
  return added === 1
}

/** Each is good once, and only in the browser that began it. */
export function takeAttempt({ stateHash, browserHash, service }: AttemptKey, now: Date, on: Queryable) {
  return on.maybe<Attempt>(sql`
    delete from sign_in.attempts
    where state_hash = ${stateHash} and browser_hash = ${browserHash} and service = ${service} and expires_at > ${now}
    returning sealed_verifier as "sealedVerifier", nonce, return_to as "returnTo"`)
}
