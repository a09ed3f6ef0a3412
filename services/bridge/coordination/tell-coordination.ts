import type { Fault } from '../../../packages/faults/fault.ts'
import { asFarAsPossible } from '../../../packages/sql/tasks/as-far-as-possible.ts'
import type { Outbox, OutboxBatchWorker } from '../../../packages/sql/tasks/outbox.ts'
import { isRefusal, isRefusalOfUs } from '../../../packages/sql/tasks/outside.ts'
import type { Coordination, PostWriteEvent } from '../../../ports/coordination/coordination.ts'

export const coordinationTopic = 'bridge.coordination'

/** Brings POST_WRITE events to the coordination service: its own queue, its own retries, never in a message's way. */
export function tellCoordination(
  coordination: Coordination,
  outbox: Outbox,
): OutboxBatchWorker<readonly PostWriteEvent[]> {
  return outbox.deliverInBatches<readonly PostWriteEvent[]>({
    topics: [coordinationTopic],
    gatherMs: 300,
    // While the service is away all of them wait. Until people have mended what it refuses to us: most of a day.
    attemptsMax: 1_000,
    isPermanent: isHopeless,
    backoff: { baseMs: 1_000, maxMs: 60_000, multiplier: 2, jitter: 0.2 },
    handle: async (tasks, signal) => {
      // The tasks have one key, so there is one of them: another could be about the same patient.
      for (const { payload } of tasks) {
        await asFarAsPossible(payload, (events) => coordination.postWrite(events, { signal }))
      }
    },
  })
}

/** What fails by itself or outlasts its time keeps all that come later from being told: not for long. */
const ownAttemptsMax = 10

const isHopeless = (fault: Fault, attempt: number): boolean =>
  isRefusal(fault) || (attempt >= ownAttemptsMax && !isRefusalOfUs(fault))
