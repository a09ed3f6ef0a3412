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

export async function addLaunch(
  { stateHash, browserHash }: LaunchKey,
  launch: Launch,
  expiresAt: Date,
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    insert into immunization.launches (state_hash, browser_hash, issuer, sealed_verifier, nonce, expires_at)
    values (${stateHash}, ${browserHash}, ${launch.issuer}, ${launch.sealedVerifier}, ${launch.nonce}, ${expiresAt})`)
}

/** Each is good once, and only in the browser that began it. */
export function takeLaunch({ stateHash, browserHash }: LaunchKey, now: Date, on: Queryable) {
  return on.maybe<Launch>(sql`
    delete from immunization.launches
    where state_hash = ${stateHash} and browser_hash = ${browserHash} and expires_at > ${now}
    returning issuer, sealed_verifier as "sealedVerifier", nonce`)
}
