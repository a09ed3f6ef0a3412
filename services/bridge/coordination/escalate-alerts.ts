import type { Clock } from '../../../packages/clock/clock.ts'
import type { Database, Transaction } from '../../../packages/sql/database.ts'
import type { JobQueue, JobWorker } from '../../../packages/sql/tasks/job-queue.ts'
import type { SmsGateway } from '../../../ports/sms-gateway/sms-gateway.ts'
import { derivedId } from '../derived-id.ts'
import { countEscalation, readAlert } from './store/alerts.ts'

export const escalationQueue = 'bridge.escalation'

interface EscalationSettings {
  readonly afterSeconds: number
  readonly max: number
  readonly phone: string
}

export interface EscalationDeps {
  readonly jobs: JobQueue
  readonly database: Database
  readonly clock: Clock
  readonly sms: SmsGateway
  readonly escalation: EscalationSettings
}

/** When an alert is next looked at; undefined where it is not escalated any more. */
export const nextLook = (
  escalations: number,
  { clock, escalation }: Pick<EscalationDeps, 'clock' | 'escalation'>,
): Date | undefined =>
  escalations < escalation.max ? new Date(clock.now().getTime() + escalation.afterSeconds * 1_000) : undefined

export async function planLooks(
  tx: Transaction,
  alertIds: readonly string[],
  at: Date,
  { jobs }: Pick<EscalationDeps, 'jobs'>,
): Promise<void> {
  if (alertIds.length === 0) return
  await jobs.add(tx, ...alertIds.map((alertId) => ({ queue: escalationQueue, payload: { alertId }, notBefore: at })))
}

/** Tells somebody further up of a critical result that nobody has acknowledged in time, again and again up to a limit. */
export function escalateAlerts(deps: EscalationDeps): JobWorker<{ readonly alertId: string }> {
  const { jobs, database, sms, escalation } = deps
  return jobs.worker<{ readonly alertId: string }>({
    queues: [escalationQueue],
    // Never given up because of whoever sends the text: an alert that nobody hears of is what this is there to prevent.
    attemptsMax: 10_000,
    backoff: { baseMs: 1_000, maxMs: 300_000, multiplier: 2, jitter: 0.2 },
    handle: async ({ payload: { alertId } }, signal) => {
      const alert = await readAlert(alertId, database)
      if (alert === undefined || alert.acknowledgedAt !== null || alert.escalations >= escalation.max) return
      const number = alert.escalations + 1
      const text = `A critical result has not been acknowledged (${number} of ${escalation.max}). Ref ${alert.transactionId}`
      await sms.send({ id: derivedId('escalation', alert.id, number), to: escalation.phone, text }, { signal })
      const next = nextLook(number, deps)
      await database.transaction(async (tx) => {
        const isOurs = await countEscalation(alert, next ?? null, tx)
        if (isOurs && next !== undefined) await planLooks(tx, [alert.id], next, deps)
      })
    },
  })
}
