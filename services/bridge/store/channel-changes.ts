import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { ChannelId } from '../pipeline/channel.ts'

export interface ChannelChange {
  readonly at: Date
  readonly by: string | null
}

/** Who last paused or resumed each channel; one that nobody ever did is not in it. */
export async function channelChanges(on: Queryable): Promise<ReadonlyMap<ChannelId, ChannelChange>> {
  const rows = await on.many<ChannelChange & { id: ChannelId }>(
    sql`select channel_id as id, changed_at as at, changed_by as by from bridge.channels`,
  )
  return new Map(rows.map(({ id, at, by }) => [id, { at, by }]))
}
