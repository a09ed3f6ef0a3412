import type { HealthPart } from '../../packages/http/health.ts'
import type { Queryable } from '../../packages/sql/database.ts'
import { queueDepth } from './durable/claims.ts'
import type { Listeners } from './listeners/listeners.ts'

/** Down when more messages are parked than the operator finds bearable. */
export const retryQueueHealth =
  (threshold: number, on: Queryable): HealthPart =>
  async () => {
    const depth = await queueDepth(on)
    return { status: depth > threshold ? 'DOWN' : 'UP', details: { depth, threshold } }
  }

/** Down when a port could not be opened; a channel that an operator paused is as it should be. */
export const listenersHealth =
  (listeners: Pick<Listeners, 'states'>): HealthPart =>
  async () => {
    const states = listeners.states()
    const isOpen = ![...states.values()].includes('ERROR')
    return { status: isOpen ? 'UP' : 'DOWN', details: Object.fromEntries(states) }
  }
