import { waitingLimits } from '../../../packages/sign-in/waiting-limits.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** A launch that waits for the browser to come back with a code. */
export interface Launch {
  readonly issuer: string
  readonly sealedVerifier: string
  readonly nonce: string
}

interface LaunchKey {
  readonly stateHash: string
  readonly browserHash: string
}

interface Begun {
  /** Where it came from. */
  readonly addressHash: string
  readonly now: Date
  readonly expiresAt: Date
}

/** False where as many wait as may. Those who come at the same moment may be a few more. */
export async function addLaunch(
  { stateHash, browserHash }: LaunchKey,
  { issuer, sealedVerifier, nonce }: Launch,
  { addressHash, now, expiresAt }: Begun,
  on: Queryable,
): Promise<boolean> {
  const { perAddressMax, max } = waitingLimits
  const added = await on.run(sql`
    insert into immunization.launches (state_hash, browser_hash, issuer, sealed_verifier, nonce, address_hash,
      expires_at)
    select ${stateHash}::text, ${browserHash}::text, ${issuer}::text, ${sealedVerifier}::text, ${nonce}::text,
      ${addressHash}::text, ${expiresAt}::timestamptz
    where ${perAddressMax} > (select count(*) from (
        select from immunization.launches where address_hash = ${addressHash} and expires_at > ${now}
        limit ${perAddressMax}) as of_address)
      and ${max} > (select count(*) from (
        select from immunization.launches where expires_at > ${now} limit ${max}) as of_all)`)
  return added === 1
}

/** Each is good once, and only in the browser that began it. */
export function takeLaunch({ stateHash, browserHash }: LaunchKey, now: Date, on: Queryable) {
  return on.maybe<Launch>(sql`
    delete from immunization.launches
    where state_hash = ${stateHash} and browser_hash = ${browserHash} and expires_at > ${now}
    returning issuer, sealed_verifier as "sealedVerifier", nonce`)
}
