import type { Clock } from '../../clock/clock.ts'
import { every, type Recurring } from '../../clock/every.ts'
import type { Log } from '../../log/log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { Queryable } from '../queryable.ts'
import { backgroundQueues, type QueueNames } from './background-queues.ts'

interface LookDeps {
  readonly database: Queryable
  readonly clock: Pick<Clock, 'now'>
  readonly metrics: Metrics
}

interface MeasureDeps extends LookDeps {
  readonly clock: Clock
  readonly log: Log
}

/** A look costs more the more there is: not as often as somebody may ask for metrics. */
export const lookEveryMs = 30_000

/** What waits in the queues of a service, and what they have given up, in all copies: as Prometheus metrics. */
export const measureQueues = (queues: QueueNames, deps: MeasureDeps): Recurring =>
  every(lookEveryMs, { work: lookAtQueues(queues, deps), failed: 'queues not measured', atOnce: true }, deps)

/** What measures them once. A queue with nothing in it is told, too; of jobs only those that were given up. */
export function lookAtQueues(queues: QueueNames, { database, clock, metrics }: LookDeps): () => Promise<void> {
  const { topics, jobs } = queues
  const gauges = gaugesOf(metrics)
  const secondsSince = (at: Date | null) =>
    at === null ? 0 : Math.max(0, clock.now().getTime() - at.getTime()) / 1_000
  return async () => {
    const found = await backgroundQueues(queues, database)
    for (const queue of [...topics, ...jobs]) {
      const { waiting = 0, oldest = null, dead = 0 } = found.find((one) => one.queue === queue) ?? {}
      gauges.dead.set({ queue }, dead)
      if (jobs.includes(queue)) continue
      gauges.waiting.set({ queue }, waiting)
      gauges.age.set({ queue }, secondsSince(oldest))
    }
  }
}

/** The same for all services (decision 1140): the names of queues begin with the service's. */
const gaugesOf = (metrics: Metrics) => ({
  waiting: metrics.gauge('corridor_background_waiting', 'What is to be told to others, by queue.', ['queue']),
  age: metrics.gauge('corridor_background_oldest_seconds', 'How long the oldest of a queue waits.', ['queue']),
  dead: metrics.gauge('corridor_background_dead', 'What a queue has given up, and keeps.', ['queue']),
})
