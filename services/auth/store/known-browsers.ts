import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** Of one user so many are remembered, those used last. */
const browsersMax = 20

/** Whether this user has signed in with this browser before. */
export async function isKnownBrowser(browserHash: string, username: string, on: Queryable): Promise<boolean> {
  const { found } = await on.one<{ found: boolean }>(sql`
    select exists (
      select from auth.known_browsers b join auth.users u on u.id = b.user_id
      where b.browser_hash = ${browserHash} and u.username = ${username} and u.status = 'active'
    ) as found`)
  return found
}

/** The browsers that this user is known at. */
export async function browsersOf(username: string, on: Queryable): Promise<string[]> {
  const rows = await on.many<{ browserHash: string }>(sql`
    select b.browser_hash as "browserHash" from auth.known_browsers b join auth.users u on u.id = b.user_id
    where u.username = ${username}`)
  return rows.map(({ browserHash }) => browserHash)
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
