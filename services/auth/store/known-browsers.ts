import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** Of one user so many are remembered, those used last. */
const browsersMax = 20

/**
 * What this browser is counted as for this user, who has signed in with it before; undefined where they have not. It stays as it
 * is when others sign in there: with their own right password they would else forget the wrong ones at this account.
 */
export async function knownBrowser(browserHash: string, username: string, on: Queryable): Promise<string | undefined> {
  const row = await on.maybe<{ countedAs: string }>(sql`
    select b.counted_as as "countedAs" from auth.known_browsers b join auth.users u on u.id = b.user_id
    where b.browser_hash = ${browserHash} and u.username = ${username} and u.status = 'active'`)
  return row?.countedAs
}

/** What the browsers that this user is known at are counted as. */
export async function browsersOf(username: string, on: Queryable): Promise<string[]> {
  const rows = await on.many<{ countedAs: string }>(sql`
    select b.counted_as as "countedAs" from auth.known_browsers b join auth.users u on u.id = b.user_id
    where u.username = ${username}`)
  return rows.map(({ countedAs }) => countedAs)
}

interface SeenBrowser {
  readonly browserHash: string
  /** What it was known by so far. */
  readonly before: string | undefined
  readonly userId: string
}

/** Remembers a browser under a new name; whoever else has signed in with it is known under that, too. */
export async function rememberBrowser(
  { browserHash, before: known, userId }: SeenBrowser,
  now: Date,
  on: Queryable,
): Promise<void> {
  const before = known ?? null
  await on.run(sql`
    update auth.known_browsers set browser_hash = ${browserHash}
    where browser_hash = ${before} and user_id <> ${userId}`)
  // Those that another login removes at this moment are gone without this one.
  await on.run(sql`
    delete from auth.known_browsers where (browser_hash, user_id) in (
      select browser_hash, user_id from auth.known_browsers
      where user_id = ${userId} and browser_hash is distinct from ${before}
      order by seen_at desc offset ${browsersMax - 1} for update skip locked)
      or (browser_hash = ${before} and user_id = ${userId})`)
  await on.run(sql`
    insert into auth.known_browsers (browser_hash, user_id, seen_at) values (${browserHash}, ${userId}, ${now})`)
}
