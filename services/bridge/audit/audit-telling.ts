import type { Outbox } from '../../../packages/sql/tasks/outbox.ts'
import type { Telling } from '../pipeline/telling.ts'
import { auditRecordOf } from './audit-record.ts'

/** Where records go, each with its own place in the spool: one that is away does not hold up the other. */
export const auditTopics = { syslog: 'bridge.audit.syslog', fhir: 'bridge.audit.fhir' } as const

type AuditTarget = keyof typeof auditTopics

/**
 * One record a message, spooled with its end: neither is durable without the other. The records of messages that end
 * together wait, and are told, as one task: a row each was most of what a message cost the database.
 */
export function auditTelling(targets: readonly AuditTarget[], outbox: Outbox, processId: string): Telling {
  const topics = targets.map((target) => auditTopics[target])
  return {
    messagesOf(finished) {
      const records = finished.flatMap((one) => auditRecordOf(one, processId) ?? [])
      return records.length === 0 ? [] : topics.map((topic) => ({ topic, payload: records }))
    },
    wake: () => outbox.wake(...topics),
  }
}
