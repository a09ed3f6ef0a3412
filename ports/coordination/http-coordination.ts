import { incorrect, unavailable } from '../../packages/faults/fault.ts'
import type { Outbound } from '../../packages/http/outbound.ts'
import type { Coordination } from './coordination.ts'

export interface HttpCoordinationOptions {
  /** Takes events by POST. */
  readonly url: string
  readonly outbound: Pick<Outbound, 'send'>
  readonly deadlineMs?: number
}

export function httpCoordination({ url, outbound, deadlineMs = 10_000 }: HttpCoordinationOptions): Coordination {
  return {
    async postWrite(event, { signal } = {}) {
      const { status } = await outbound.send({
        ...{ method: 'POST', url, deadlineMs },
        headers: { 'content-type': 'application/json', 'idempotency-key': event.eventId },
        body: JSON.stringify(event),
        ...(signal === undefined ? {} : { signal }),
      })
      if (status >= 200 && status <= 299) return
      const details = { code: 'COORDINATION_REFUSED', logged: `status ${status}` }
      if (status === 408 || status === 429 || status >= 500) {
        throw unavailable('The coordination service cannot take the event now.', details)
      }
      throw incorrect('The coordination service refuses the event.', details)
    },
  }
}
