import type { Outbox } from '../../../packages/sql/outbox.ts'
import type { Telling } from '../durable/telling.ts'
import { writeEventOf } from './write-event.ts'

export const writeTopic = 'bridge.write'

/** One event a message that has written something. Those of one patient are evaluated in the order of the messages. */
export const dispatchTelling = (outbox: Outbox): Telling => ({
  messagesOf: (finished) =>
    finished.flatMap((one) => {
      const payload = writeEventOf(one)
      if (payload === undefined) return []
      return [{ topic: writeTopic, payload, ...(payload.patient === null ? {} : { key: payload.patient }) }]
    }),
  wake: () => outbox.wake(writeTopic),
})
