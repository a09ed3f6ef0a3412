import type { Metrics } from '../../../packages/metrics/metrics.ts'

export const auditMetrics = (metrics: Metrics) => ({
  written: metrics.counter('corridor_audit_events_written_total', 'AuditEvents that are durable'),
  waiting: metrics.gauge('corridor_audit_accesses_waiting', 'Accesses that are not written to the audit log yet'),
  failures: metrics.counter('corridor_audit_write_failures_total', 'Attempts to write to the audit log that failed'),
  refused: metrics.counter('corridor_audit_refused_requests_total', 'Requests refused because the audit log is full'),
  lost: metrics.counter('corridor_audit_accesses_lost_total', 'Accesses that could not be written to the audit log'),
})

export type AuditMetrics = ReturnType<typeof auditMetrics>
