import type { Queryable } from '../../../../packages/sql/database.ts'
import { kept, sql } from '../../../../packages/sql/sql.ts'

export interface SinkDelivery {
  readonly id: string
  readonly channel: 'message' | 'rest-hook' | 'sms'
  readonly target: string
  readonly deliveryKey: string | null
  readonly body: string
  readonly receivedAt: Date
}

export async function addSinkDeliveries(rows: readonly SinkDelivery[], on: Queryable): Promise<void> {
  const column = <Name extends keyof SinkDelivery>(name: Name) => rows.map((row) => row[name])
  await on.run(
    kept(
      'bridge_add_sink_deliveries',
      sql`
    insert into bridge.sink_deliveries (id, channel, target, delivery_key, body, received_at)
    select * from unnest(${column('id')}::uuid[], ${column('channel')}::text[], ${column('target')}::text[],
                         ${column('deliveryKey')}::text[], ${rows.map(({ body }) => body.replaceAll('\0', ''))}::text[],
                         ${column('receivedAt')}::timestamptz[])`,
    ),
  )
}

/** Only the last ones are kept. */
export const trimSinkDeliveries = (keptMax: number, on: Queryable): Promise<number> =>
  on.run(sql`
    delete from bridge.sink_deliveries
     where received_at < (select received_at from bridge.sink_deliveries order by received_at desc offset ${keptMax} limit 1)`)
