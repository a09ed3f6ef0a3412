import { incorrect, unavailable } from '../../packages/faults/fault.ts'
import type { Outbound } from '../../packages/http/outbound.ts'
import type { Coordination, PostWriteEvent } from './coordination.ts'

export interface HttpCoordinationOptions {
  /** Takes events by POST. */
  readonly url: string
  readonly outbound: Pick<Outbound, 'send'>
  readonly deadlineMs?: number
}

/** One request an event, a few at a time. */
export function httpCoordination(options: HttpCoordinationOptions): Coordination {
  return {
    async postWrite(events, { signal } = {}) {
      let next = 0
      const work = async () => {
        for (let event = events[next++]; event !== undefined; event = events[next++]) await post(event, signal, options)
      }
      await Promise.all(Array.from({ length: Math.min(atOnce, events.length) }, work))
    },
  }
}

const atOnce = 8

async function post(
  event: PostWriteEvent,
  signal: AbortSignal | undefined,
  { url, outbound, deadlineMs = 10_000 }: HttpCoordinationOptions,
): Promise<void> {
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
}
