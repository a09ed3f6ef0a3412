import type { Database } from '../../../packages/sql/database.ts'
import { dependencies, type Breakers } from '../breakers/breakers.ts'
import { queueDepth } from '../durable/claims.ts'
import type { Listeners } from '../listeners/listeners.ts'
import type { Surroundings } from './live-event.ts'

/** Channels and breakers as this copy has them, and the queue of all. */
export async function surroundings({
  channels,
  breakers,
  database,
}: {
  readonly channels: Pick<Listeners, 'states'>
  readonly breakers: Pick<Breakers, 'entryOf'>
  readonly database: Database
}): Promise<Surroundings> {
  return {
    channels: channels.states(),
    breakers: new Map(dependencies.map((name) => [name, breakers.entryOf(name).state])),
    queueDepth: await queueDepth(database),
  }
}
