import type { Queryable } from '../../../../packages/sql/database.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import type { SinkDelivery } from '../store/sink-deliveries.ts'

/** What the built-in receivers were told, the newest first. */
export const sinkDeliveries = (on: Queryable): Promise<SinkDelivery[]> =>
  on.many<SinkDelivery>(sql`
    select id, channel, target, delivery_key as "deliveryKey", body, received_at as "receivedAt"
      from bridge.sink_deliveries order by received_at desc, id desc`)
