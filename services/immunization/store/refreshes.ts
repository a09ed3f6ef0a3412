import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** Which tokens are meant: a refresh of tokens that were replaced meanwhile is none. */
export interface TokenVersion {
  readonly sessionHash: string
  readonly tokenVersion: number
}

/** Takes the right to refresh these tokens until the given time. False where somebody else has it, or has used it. */
export async function claimRefresh(
  { sessionHash, tokenVersion }: TokenVersion,
  times: { readonly now: Date; readonly until: Date },
  on: Queryable,
): Promise<boolean> {
  const claimed = await on.run(sql`
    update immunization.sessions set refreshing_until = ${times.until}
    where session_hash = ${sessionHash} and token_version = ${tokenVersion} and ended_at is null
      and (refreshing_until is null or refreshing_until <= ${times.now})`)
  return claimed === 1
}

/** Puts the new tokens in the place of those that were refreshed. */
export async function saveRefreshed(
  { sessionHash, tokenVersion }: TokenVersion,
  fresh: { readonly sealedTokens: string; readonly accessExpiresAt: Date; readonly scope: string },
  on: Queryable,
): Promise<boolean> {
  const saved = await on.run(sql`
    update immunization.sessions
    set sealed_tokens = ${fresh.sealedTokens}, access_expires_at = ${fresh.accessExpiresAt}, scope = ${fresh.scope},
      token_version = ${tokenVersion + 1}, refreshing_until = null
    where session_hash = ${sessionHash} and token_version = ${tokenVersion} and ended_at is null`)
  return saved === 1
}

/** Nobody tries again before the given time: an authorization server that is down is not asked by every request. */
export async function postponeRefresh(
  { sessionHash, tokenVersion }: TokenVersion,
  until: Date,
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    update immunization.sessions set refreshing_until = ${until}
    where session_hash = ${sessionHash} and token_version = ${tokenVersion}`)
}
