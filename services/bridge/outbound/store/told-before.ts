import type { Queryable } from '../../../../packages/sql/database.ts'
import { kept, sql } from '../../../../packages/sql/sql.ts'
import { deliveryIdOf, type NewDelivery } from '../delivery.ts'
import { isHeardOf } from './superseded.ts'

/** A resource of which a subscription is to tell, and the version of it that was there before. */
interface ToTell extends Pick<NewDelivery, 'subscriptionId' | 'resource'> {
  readonly before: string | undefined
}

interface Told {
  /** The subscription has told of some version, or is about to. */
  readonly ofAny: boolean
  /** Of that one. */
  readonly ofBefore: boolean
}

/** In their order. Each is found by keys, and the first that is found will do: a stay may have thousands of versions. */
export const toldBefore = async (toTell: readonly ToTell[], on: Queryable): Promise<readonly Told[]> =>
  toTell.length === 0
    ? []
    : on.many<Told>(
        kept(
          'bridge_told_before',
          sql`
    select anything.told is not null as "ofAny", earlier.told is not null as "ofBefore"
      from rows from (unnest(${toTell.map(({ subscriptionId }) => subscriptionId)}::text[]),
                      unnest(${toTell.map(({ resource }) => resource)}::text[]),
                      unnest(${toTell.map(idBefore)}::uuid[]))
           with ordinality as sought (subscription_id, resource, id_before, number)
      left join lateral (
        select true as told from bridge.deliveries as d
         where d.resource = sought.resource and d.subscription_id = sought.subscription_id and ${isHeardOf(sql`d`)}
         limit 1) as anything on true
      left join lateral (
        select true as told from bridge.deliveries as d where d.id = sought.id_before and ${isHeardOf(sql`d`)}
         limit 1) as earlier on true
     order by sought.number`,
        ),
      )

const idBefore = ({ subscriptionId, resource, before }: ToTell): string | null =>
  before === undefined ? null : deliveryIdOf(subscriptionId, resource, before)
