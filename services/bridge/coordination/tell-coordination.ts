import type { Outbox, OutboxWorker } from '../../../packages/sql/outbox.ts'
import type { Coordination, PostWriteEvent } from '../../../ports/coordination/coordination.ts'
import { coordinationTopic } from '../outbound/evaluate-events.ts'

/** Brings POST_WRITE events to the coordination service: its own queue, its own retries, never in a message's way. */
export function tellCoordination(coordination: Coordination, outbox: Outbox): OutboxWorker<PostWriteEvent> {
  return outbox.deliver<PostWriteEvent>({
    topics: [coordinationTopic],
    concurrency: 4,
    // With the longest wait of five minutes more than a day: then the event has no use any more.
    attemptsMax: 300,
    isPermanent: ({ kind }) => kind === 'incorrect' || kind === 'unprocessable',
    handle: ({ payload }, signal) => coordination.postWrite(payload, { signal }),
  })
}
