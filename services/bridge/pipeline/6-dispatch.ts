import type { Outbox, OutboxMessage } from '../../../packages/sql/tasks/outbox.ts'
import type { Telling } from './telling.ts'
import { writeEventOf, type WriteEvent } from './write-event.ts'

/** One line for the events of all patients: what was committed later stands further behind. */
export const writeLine = { topic: 'bridge.writes', key: 'bridge.writes' } as const

/** What was set aside from the line, an event a message. Those of one patient are evaluated one after the other. */
export const asideTopic = 'bridge.write'

/** One event a message that has written something; those of messages that end together are one message of the outbox. */
export const dispatchTelling = (outbox: Outbox): Telling => ({
  messagesOf(finished) {
    const payload = finished.flatMap((one) => writeEventOf(one) ?? [])
    return payload.length === 0 ? [] : [{ ...writeLine, payload }]
  },
  wake: () => outbox.wake(writeLine.topic),
})

export const asideMessage = (payload: WriteEvent): OutboxMessage => ({
  topic: asideTopic,
  payload,
  ...(payload.patient === null ? {} : { key: payload.patient }),
})
