import type { Outbox } from '../../../packages/sql/outbox.ts'
import type { FinishPart } from '../durable/finished.ts'
import { writeEventOf } from './write-event.ts'

export const writeTopic = 'bridge.write'

/** One event a message that has written something. Those of one patient are evaluated in the order of the messages. */
export function dispatchPart(outbox: Outbox): FinishPart {
  return {
    statement(finished) {
      const messages = finished.flatMap((one) => {
        const payload = writeEventOf(one)
        if (payload === undefined) return []
        return [{ topic: writeTopic, payload, ...(payload.patient === null ? {} : { key: payload.patient }) }]
      })
      return messages.length === 0 ? undefined : outbox.insert(messages).statement
    },
    committed: () => outbox.wake(writeTopic),
  }
}
