import type { Queryable, Transaction } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { TellRevoked } from '../../../packages/tokens/revocation-list.ts'

/** What a user has granted to an app: the family of all tokens that come from one code. */
export interface Grant {
  readonly id: string
  readonly clientId: string
  readonly userId: string
  readonly sessionHash: string
  readonly isOffline: boolean
  readonly scope: string
  readonly patient: string | null
  readonly encounter: string | null
  readonly signedInAt: Date
  readonly expiresAt: Date
}

/** How a revocation is written, and who is told of it without waiting for the list. */
export interface Revoking {
  readonly now: Date
  /** As long as any access token of the grant can still be alive. */
  readonly forgetAt: Date
  readonly tell: TellRevoked
}

/** Who lost what with a grant, for the audit trail. */
export interface EndedGrant {
  readonly grantId: string
  readonly clientId: string
  readonly subject: string
  readonly patient: string | null
}

/** The same of what a client had in its own name: its tokens are of nobody else. */
export type EndedOwnGrant = Pick<EndedGrant, 'grantId' | 'clientId'>

/** Ends the grants that the condition names and puts them on the deny list; answers with what they were. */
async function revokeWhere(condition: Statement, how: Revoking, on: Transaction): Promise<EndedGrant[]> {
  const all = await on.many<EndedGrant>(sql`
    with ended as (
      update auth.grants g set revoked_at = ${how.now} where g.revoked_at is null and ${condition}
      returning g.id, g.client_id, g.user_id, g.patient
    ), denied as (
      insert into auth.revocations (kind, id, revoked_at, expires_at)
      select 'grant', id::text, ${how.now}::timestamptz, ${how.forgetAt}::timestamptz from ended
      on conflict (kind, id) do nothing
    )
    select e.id as "grantId", e.client_id as "clientId", u.subject, e.patient
    from ended e join auth.users u on u.id = e.user_id`)
  tellOf(all, how, on)
  return all
}

/** Once it is durable: what is undone was never revoked. */
function tellOf(ended: readonly Pick<EndedGrant, 'grantId'>[], { tell }: Revoking, on: Transaction): void {
  const grants = ended.map(({ grantId }) => grantId)
  if (grants.length > 0) on.afterCommit(() => tell({ grants, tokens: [] }))
}

export const revokeGrant = (id: string, how: Revoking, on: Transaction) => revokeWhere(sql`g.id = ${id}`, how, on)

export const revokeGrantOfUser = (id: string, userId: string, how: Revoking, on: Transaction) =>
  revokeWhere(sql`g.id = ${id} and g.user_id = ${userId}`, how, on)

/** Whatever a user has granted to an app. */
export const revokeAppOfUser = (clientId: string, userId: string, how: Revoking, on: Transaction) =>
  revokeWhere(sql`g.client_id = ${clientId} and g.user_id = ${userId}`, how, on)

/** What lives only as long as the login: apps without offline access. */
export const revokeOnlineGrants = (sessionHash: string, how: Revoking, on: Transaction) =>
  revokeWhere(sql`g.session_hash = ${sessionHash} and not g.is_offline`, how, on)

/** What lived on one login of a user goes on with the next, and ends with that; offline access needs none. */
export async function handOverOnlineGrants(
  fromSession: string,
  to: { readonly sessionHash: string; readonly userId: string },
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    update auth.grants g set session_hash = ${to.sessionHash}
    where g.session_hash = ${fromSession} and g.user_id = ${to.userId} and not g.is_offline and g.revoked_at is null`)
}

export const revokeOnlineGrantsOfUsers = (userIds: readonly string[], how: Revoking, on: Transaction) =>
  revokeWhere(sql`g.user_id = any (${userIds}::uuid[]) and not g.is_offline`, how, on)

export const revokeGrantsOfUsers = (userIds: readonly string[], how: Revoking, on: Transaction) =>
  revokeWhere(sql`g.user_id = any (${userIds}::uuid[])`, how, on)

/** Whatever any user has granted to any app. */
export const revokeGrantsOfEverybody = (how: Revoking, on: Transaction) => revokeWhere(sql`true`, how, on)

/** What users granted to these clients, and what the clients have in their own name. */
export async function revokeGrantsOfClients(
  clientIds: readonly string[],
  how: Revoking,
  on: Transaction,
): Promise<(EndedGrant | EndedOwnGrant)[]> {
  const ofUsers = await revokeWhere(sql`g.client_id = any (${clientIds}::text[])`, how, on)
  return [...ofUsers, ...(await revokeOwnGrants(clientIds, how, on))]
}

/**
 * Denies the tokens that these clients have in their own name. What they get from now on is of another grant. Answers with
 * what those had that may ask for any.
 */
export async function revokeOwnGrants(
  clientIds: readonly string[],
  how: Revoking,
  on: Transaction,
): Promise<EndedOwnGrant[]> {
  const ended = await revokeOwnWhere(sql`c.client_id = any (${clientIds}::text[])`, how, on)
  return ended.flatMap(({ hasTokens, ...grant }) => (hasTokens ? [grant] : []))
}

/** The same for one such grant; false where its client has another by now, and this one is denied already. */
export async function revokeOwnGrant(grantId: string, how: Revoking, on: Transaction): Promise<boolean> {
  return (await revokeOwnWhere(sql`c.own_grant_id = ${grantId}`, how, on)).length > 0
}

async function revokeOwnWhere(
  condition: Statement,
  how: Revoking,
  on: Transaction,
): Promise<(EndedOwnGrant & { readonly hasTokens: boolean })[]> {
  const ended = await on.many<EndedOwnGrant & { readonly hasTokens: boolean }>(sql`
    with own as (
      select c.client_id, c.own_grant_id, c.grant_types from auth.clients c where ${condition}
      order by c.client_id for update
    ), denied as (
      insert into auth.revocations (kind, id, revoked_at, expires_at)
      select 'grant', own_grant_id::text, ${how.now}::timestamptz, ${how.forgetAt}::timestamptz from own
      on conflict (kind, id) do nothing
    ), renewed as (
      update auth.clients c set own_grant_id = gen_random_uuid() from own where c.client_id = own.client_id
    )
    select client_id as "clientId", own_grant_id as "grantId", 'client_credentials' = any (grant_types) as "hasTokens"
    from own`)
  tellOf(ended, how, on)
  return ended
}

/** Whether anybody has tokens of a grant that are still good, or may have new ones. */
export async function hasLiveGrants(now: Date, on: Queryable): Promise<boolean> {
  const live = sql`select 1 from auth.grants g where g.revoked_at is null and g.expires_at > ${now} limit 1`
  return (await on.many(live)).length > 0
}
