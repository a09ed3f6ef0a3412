import type { Database } from '../../../packages/sql/database.ts'
import { dependencies, type Breakers } from '../breakers/breakers.ts'
import { queueDepth } from '../durable/claims.ts'
import type { ChannelControl } from '../routes/deps.ts'
import type { Surroundings } from './live-event.ts'

/** Channels and breakers as this copy has them, and the queue of all. */
export async function surroundings({
  channels,
  breakers,
  database,
}: {
  readonly channels: Pick<ChannelControl, 'list'>
  readonly breakers: Pick<Breakers, 'entryOf'>
  readonly database: Database
}): Promise<Surroundings> {
  const [records, depth] = await Promise.all([channels.list(), queueDepth(database)])
  return {
    channels: new Map(records.map(({ id, status }) => [id, status])),
    breakers: new Map(dependencies.map((name) => [name, breakers.entryOf(name).state])),
    queueDepth: depth,
  }
}
