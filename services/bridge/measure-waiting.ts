import type { Clock } from '../../packages/clock/clock.ts'
import { every, type Recurring } from '../../packages/clock/every.ts'
import type { Log } from '../../packages/log/log.ts'
import type { Metrics } from '../../packages/metrics/metrics.ts'
import type { Database } from '../../packages/sql/database.ts'
import type { QueueNames } from '../../packages/sql/tasks/background-queues.ts'
import { lookAtQueues, lookEveryMs } from '../../packages/sql/tasks/measure-queues.ts'
import { auditTopics } from './audit/audit-telling.ts'
import { escalationQueue } from './coordination/escalate-alerts.ts'
import { decisionSupportTopic } from './coordination/support-decisions.ts'
import { openAlertState } from './coordination/store/alerts.ts'
import { retryRunQueue } from './durable/retry-run-jobs.ts'
import { codeRerunQueue } from './unmapped/code-rerun-jobs.ts'
import { deliveryTopic } from './outbound/delivery.ts'
import { asideTopic, writeLine } from './pipeline/6-dispatch.ts'
import { coordinationTopic } from './coordination/tell-coordination.ts'

interface LookDeps {
  readonly database: Database
  readonly clock: Clock
  readonly metrics: Metrics
}

const bridgeTopics = [writeLine.topic, asideTopic, deliveryTopic, coordinationTopic, decisionSupportTopic]
const topics = [...bridgeTopics, ...Object.values(auditTopics)]
const jobs = [escalationQueue, retryRunQueue, codeRerunQueue]

/** All that the bridge does after the answer. */
export const backgroundOfBridge: QueueNames = { topics, jobs }

/** What waits after the answer, for others or for a person, as Prometheus metrics. */
export const measureWaiting = (deps: LookDeps & { readonly log: Log }): Recurring =>
  every(lookEveryMs, { work: lookAtWaiting(deps), failed: 'bridge.waiting-not-measured', atOnce: true }, deps)

/** What measures it once. */
export function lookAtWaiting({ database, clock, metrics }: LookDeps): () => Promise<void> {
  const { alerts, alertAge } = gaugesOf(metrics)
  const lookAtBackground = lookAtQueues(backgroundOfBridge, { database, clock, metrics })
  return async () => {
    const [{ open, oldest }] = await Promise.all([openAlertState(database), lookAtBackground()])
    alerts.set(open)
    alertAge.set(oldest === null ? 0 : Math.max(0, clock.now().getTime() - oldest.getTime()) / 1_000)
  }
}

const gaugesOf = (metrics: Metrics) => ({
  alerts: metrics.gauge('corridor_bridge_open_alerts', 'Critical results that nobody has acknowledged.'),
  alertAge: metrics.gauge('corridor_bridge_open_alerts_oldest_seconds', 'How long the oldest of them waits.'),
})
