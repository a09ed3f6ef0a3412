import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** What an EHR launch is bound to. */
export interface Launch {
  readonly userId: string
  readonly clientId: string | null
  readonly patient: string
  readonly encounter: string | null
}

export async function addLaunch(
  launchHash: string,
  launch: Launch,
  times: { readonly now: Date; readonly expiresAt: Date },
  on: Queryable,
): Promise<void> {
  await on.run(sql`
    insert into auth.launches (launch_hash, user_id, client_id, patient, encounter, created_at, expires_at)
    values (${launchHash}, ${launch.userId}, ${launch.clientId}, ${launch.patient}, ${launch.encounter}, ${times.now},
      ${times.expiresAt})`)
}

const columns = sql`user_id as "userId", client_id as "clientId", patient, encounter`

/** The launch of this digest if this client may still use it. */
export function findLaunch(
  launchHash: string,
  clientId: string,
  now: Date,
  on: Queryable,
): Promise<Launch | undefined> {
  return on.maybe(sql`
    select ${columns} from auth.launches
    where launch_hash = ${launchHash} and used_at is null and expires_at > ${now}
      and (client_id is null or client_id = ${clientId})`)
}

/** Takes the launch: of several who try at the same moment one gets it. */
export function consumeLaunch(
  launchHash: string,
  by: { readonly userId: string; readonly clientId: string },
  now: Date,
  on: Queryable,
): Promise<Launch | undefined> {
  return on.maybe(sql`
    update auth.launches set used_at = ${now}
    where launch_hash = ${launchHash} and used_at is null and expires_at > ${now} and user_id = ${by.userId}
      and (client_id is null or client_id = ${by.clientId})
    returning ${columns}`)
}

/** Whom the user launched apps for last, the newest first. */
export async function recentPatients(userId: string, limit: number, on: Queryable): Promise<string[]> {
  const rows = await on.many<{ patient: string }>(sql`
    select patient from auth.launches where user_id = ${userId}
    group by patient order by max(created_at) desc limit ${limit}`)
  return rows.map(({ patient }) => patient)
}

/** Whoever has the account after somebody else uses none of their launches, and is not shown for whom they were. */
export async function forgetLaunchesOf(userIds: readonly string[], on: Queryable): Promise<void> {
  await on.run(sql`delete from auth.launches where user_id = any (${userIds}::uuid[])`)
}
