import type { Queryable } from '../../sql/database.ts'
import { sql, type Statement } from '../../sql/sql.ts'

/** Which tokens are meant, and in which table: a refresh of tokens that were replaced meanwhile is none. */
interface TokenVersion {
  readonly table: Statement
  readonly sessionHash: string
  readonly tokenVersion: number
}

/** Takes the right to refresh these tokens until the given time. False where somebody else has it, or has used it. */
export async function claimRefresh(
  { table, sessionHash, tokenVersion }: TokenVersion,
  times: { readonly now: Date; readonly until: Date },
  on: Queryable,
): Promise<boolean> {
  const claimed = await on.run(sql`
    update ${table} set refreshing_until = ${times.until}
    where session_hash = ${sessionHash} and token_version = ${tokenVersion} and ended_at is null
      and (refreshing_until is null or refreshing_until <= ${times.now})`)
  return claimed === 1
}

interface FreshTokens {
  readonly sealedTokens: string
  readonly accessExpiresAt: Date
}

/** Puts the new tokens in the place of those that were refreshed, with what else the answer changed. */
export async function saveRefreshed(
  { table, sessionHash, tokenVersion }: TokenVersion,
  { sealedTokens, accessExpiresAt }: FreshTokens,
  also: Statement | undefined,
  on: Queryable,
): Promise<boolean> {
  const saved = await on.run(sql`
    update ${table}
    set ${also === undefined ? sql`` : sql`${also}, `}sealed_tokens = ${sealedTokens},
      access_expires_at = ${accessExpiresAt}, token_version = ${tokenVersion + 1}, refreshing_until = null
    where session_hash = ${sessionHash} and token_version = ${tokenVersion} and ended_at is null`)
  return saved === 1
}

/** Nobody tries again before the given time: an authorization server that is down is not asked by every request. */
export async function postponeRefresh(
  { table, sessionHash, tokenVersion }: TokenVersion,
  until: Date,
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    update ${table} set refreshing_until = ${until}
    where session_hash = ${sessionHash} and token_version = ${tokenVersion}`)
}
