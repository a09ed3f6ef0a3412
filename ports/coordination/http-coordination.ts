import { sideBySide } from '../../packages/clock/side-by-side.ts'
import { conflict, forbidden, incorrect, missing, unavailable, type Fault } from '../../packages/faults/fault.ts'
import type { Outbound } from '../../packages/http/outbound/outbound.ts'
import type { Coordination, PostWriteEvent } from './coordination.ts'

export interface HttpCoordinationOptions {
  /** Takes events by POST. */
  readonly url: string
  readonly outbound: Pick<Outbound, 'send'>
  readonly deadlineMs?: number
}

/**
 * One request an event, a few patients at a time and those of one patient in turn. What was taken is remembered for a
 * while: a service so slow that the time runs out is told the rest the next time, and not the same again for ever.
 */
export function httpCoordination(options: HttpCoordinationOptions): Coordination {
  const taken = new Set<string>()
  return {
    async postWrite(events, { signal } = {}) {
      const open = events.filter(({ eventId }) => !taken.has(eventId))
      const turns = [...Map.groupBy(open, ({ patient, eventId }) => patient ?? eventId).values()]
      await sideBySide(turns, patientsAtOnce, async (turn, hasFailed) => {
        for (const event of turn) {
          if (hasFailed()) return
          await post(event, signal, options)
          taken.add(event.eventId)
          const [oldest = ''] = taken
          if (taken.size > takenMax) taken.delete(oldest)
        }
      })
    },
  }
}

/** More than the events of one task. */
const takenMax = 2_000

const patientsAtOnce = 8

async function post(
  event: PostWriteEvent,
  signal: AbortSignal | undefined,
  { url, outbound, deadlineMs = 10_000 }: HttpCoordinationOptions,
): Promise<void> {
  const { status } = await outbound.send({
    ...{ method: 'POST', url, deadlineMs },
    headers: { 'content-type': 'application/json', 'idempotency-key': event.eventId },
    body: JSON.stringify(event),
    isStatusEnough: true,
    ...(signal === undefined ? {} : { signal }),
  })
  if (status >= 200 && status <= 299) return
  throw refusalOf(status)
}

/**
 * Only a few statuses speak of the event. Who we are and where the service is are not said by one: a secret that has
 * expired, a right that was taken away or an address that has moved buries none of them.
 */
function refusalOf(status: number): Fault {
  const details = { code: 'COORDINATION_REFUSED', logged: `status ${status}` }
  switch (status) {
    case 400:
    case 413:
    case 415:
    case 422:
      return incorrect('The coordination service refuses the event.', details)
    case 403:
      return forbidden('The coordination service does not let the bridge tell it anything.', details)
    // Of an Idempotency-Key it says that the first attempt with it is still under way.
    case 409:
      return conflict('The coordination service is at odds with the event now.', details)
    case 401:
    case 408:
    case 429:
      return unavailable('The coordination service cannot take the event now.', details)
    default:
      return status >= 500
        ? unavailable('The coordination service cannot take the event now.', details)
        : missing('The coordination service takes no events at its address.', details)
  }
}
