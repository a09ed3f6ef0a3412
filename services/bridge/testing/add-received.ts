import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { idAt } from '../store/transaction-id.ts'
import type { ChannelId } from '../pipeline/channel.ts'

/** Lines of the transaction log for messages that came in at these times, with nothing in them. */
export async function addReceived(channel: ChannelId, times: readonly Date[], on: Queryable): Promise<void> {
  const ids = times.map((at) => `${idAt(at)}-CENTRAL-${channel}`)
  await on.run(sql`
    insert into bridge.transactions (id, channel_id, status, message_type, control_id, sending_application,
      sending_facility, patient_keys, resources, warnings, stage, stage_ms, attempts, is_stale,
      content_mismatch, peer, bytes, received_at)
    select m.id, ${channel}, 'SUCCESS', '', '', '', '', '{}', '[]', '{}', 'ACK', '{}', 1, false, false, '', 0, m.at
    from unnest(${ids}::text[], ${times}::timestamptz[]) as m (id, at)`)
}
