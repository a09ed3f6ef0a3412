import type { Queryable } from '../../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { Delivery, NewDelivery } from '../delivery.ts'
import { isSuperseded, placeOf } from './superseded.ts'

/** What of a subscription was given up and has something to send. */
const dead = (subscriptionId: string): Statement => sql`
  d.subscription_id = ${subscriptionId} and d.status = 'dead' and (d.payload <> '' or d.channel = 'rest-hook')`

/** How many there are, and how many of them would undo what has gone out since. */
export const countDead = (
  subscriptionId: string,
  on: Queryable,
): Promise<{ readonly matched: number; readonly superseded: number }> =>
  on.one(sql`
    select count(*)::int as matched, (count(*) filter (where ${isSuperseded(sql`d`)}))::int as superseded
      from bridge.deliveries as d where ${dead(subscriptionId)}`)

/** How many were sent again together with this one. */
export async function countResentWith(
  { subscriptionId, resentAt, resentBy }: Delivery,
  on: Queryable,
): Promise<number> {
  const { count } = await on.one<{ count: number }>(sql`
    select count(*)::int as count from bridge.deliveries
     where subscription_id = ${subscriptionId} and resent_at = ${resentAt} and resent_by = ${resentBy}`)
  return count
}

type Reopened = Pick<NewDelivery, 'id' | 'subscriptionId' | 'patient' | 'resource'>

/** Makes the others wait again, so many at most, and names them in their order: the oldest is the first to be sent. */
export const reopenDead = (
  subscriptionId: string,
  { by, now, limit }: { readonly by: string; readonly now: Date; readonly limit: number },
  on: Queryable,
): Promise<Reopened[]> =>
  on.many<Reopened>(sql`
    with chosen as (
      select d.id from bridge.deliveries as d where ${dead(subscriptionId)} and not ${isSuperseded(sql`d`)}
       order by ${placeOf(sql`d`)}, d.id limit ${limit} for update of d),
    reopened as (
      update bridge.deliveries as d set status = 'waiting', attempts = 0, next_attempt_at = ${now}, settled_at = null,
             last_error = null, answered = null, resent_at = ${now}, resent_by = ${by}
        from chosen where d.id = chosen.id
      returning d.id, d.subscription_id, d.patient, d.resource, d.created_at, d.version_id)
    select r.id, r.subscription_id as "subscriptionId", r.patient, r.resource
      from reopened as r order by ${placeOf(sql`r`)}, r.id`)
