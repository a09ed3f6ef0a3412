import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'

/** An app that has access, as its user sees it. */
export interface AppWithAccess {
  readonly clientId: string
  readonly clientName: string
  /** What each sign-in gave, every one once. */
  readonly scopes: readonly string[]
  /** How many patients it may see for; the one, where it is one. */
  readonly patients: number
  readonly patient: string | null
  readonly since: Date
  readonly lastUsedAt: Date
  readonly signIns: number
}

/** One grant of such an app. */
export interface SignInOfApp {
  readonly grantId: string
  readonly clientId: string
  readonly scope: string
  readonly patient: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date
}

interface OfUser {
  readonly userId: string
  /** An app that is left out. */
  readonly besides: string
  /** Only this one. */
  readonly clientId?: string | undefined
}

interface Times {
  readonly now: Date
  /** An access token that was made before is over. */
  readonly tokensSince: Date
}

interface Part {
  readonly offset: number
  readonly size: number
}

/** A part of the apps that a user has let in, those used last before the others. */
export async function appsWithAccess(
  of: OfUser,
  times: Times,
  part: Part,
  on: Queryable,
): Promise<{ readonly apps: readonly AppWithAccess[]; readonly total: number }> {
  const alive = sql`${grantsOf(of)} and ${isAlive(times)}`
  const { total } = await on.one<{ total: number }>(
    sql`select count(distinct g.client_id)::integer as total from auth.grants g where ${alive}`,
  )
  const apps = await on.many<AppWithAccess>(sql`
    select a.*, coalesce(c.client_name, a."clientId") as "clientName"
    from (
      select g.client_id as "clientId", array_agg(distinct g.scope) as scopes,
        count(distinct g.patient)::integer as patients, min(g.patient) as patient, min(g.created_at) as since,
        max(g.last_used_at) as "lastUsedAt", count(*)::integer as "signIns"
      from auth.grants g where ${alive} group by g.client_id
    ) a
    left join auth.clients c on c.client_id = a."clientId"
    order by a."lastUsedAt" desc, a."clientId" limit ${part.size} offset ${part.offset}`)
  return { apps, total }
}

/** A part of the sign-ins of each of these apps, those used last before the others. */
export function signInsOf(
  clientIds: readonly string[],
  userId: string,
  times: Times,
  { offset, size }: Part,
  on: Queryable,
): Promise<SignInOfApp[]> {
  return on.many(sql`
    select "grantId", "clientId", scope, patient, "createdAt", "lastUsedAt"
    from (
      select g.id as "grantId", g.client_id as "clientId", g.scope, g.patient, g.created_at as "createdAt",
        g.last_used_at as "lastUsedAt",
        row_number() over (partition by g.client_id order by g.last_used_at desc, g.id) as place
      from auth.grants g
      where g.user_id = ${userId} and g.client_id = any (${clientIds}::text[]) and ${isAlive(times)}
    ) s
    where place > ${offset} and place <= ${offset + size}
    order by place`)
}

/** What was taken away: a single sign-in of an app that has others, or the app. */
export interface TakenAway {
  readonly clientName: string
  readonly hasOthers: boolean
}

/** Of a user, by a grant or by the app; undefined where nothing of theirs was. */
export function takenAway(
  { grant, app }: { readonly grant?: string | undefined; readonly app?: string | undefined },
  userId: string,
  times: Times,
  on: Queryable,
): Promise<TakenAway | undefined> {
  return on.maybe(sql`
    select coalesce(c.client_name, t.client_id) as "clientName", exists (
      select from auth.grants g where g.user_id = ${userId} and g.client_id = t.client_id and ${isAlive(times)}
    ) as "hasOthers"
    from auth.grants t left join auth.clients c on c.client_id = t.client_id
    where t.user_id = ${userId} and t.revoked_at is not null
      and (t.id = ${grant ?? null}::uuid or t.client_id = ${app ?? null})
    limit 1`)
}

function grantsOf({ userId, besides, clientId }: OfUser): Statement {
  const all = sql`g.user_id = ${userId} and g.client_id <> ${besides}`
  return clientId === undefined ? all : sql`${all} and g.client_id = ${clientId}`
}

/**
 * A grant gives access that can still have new tokens, or whose last one may be alive, also past the end of the grant; one
 * whose tokens have all ended is only a memory.
 */
const isAlive = ({ now, tokensSince }: Times): Statement => sql`
  g.revoked_at is null and (g.last_used_at > ${tokensSince} or (g.expires_at > ${now} and exists (
    select from auth.refresh_tokens t where t.grant_id = g.id and t.used_at is null and t.expires_at > ${now})))`
