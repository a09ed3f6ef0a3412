import type { Queryable } from '../../../../packages/sql/database.ts'
import { sql } from '../../../../packages/sql/sql.ts'

export const cardsOf = (patient: string, on: Queryable) =>
  on.many<{ readonly resource: string; readonly rule: string; readonly card: unknown }>(
    sql`select resource, rule, card from bridge.cds_cards where patient = ${patient} order by created_at desc, id`,
  )

/** Those that nobody has acknowledged, the oldest first. */
export const openAlerts = (on: Queryable) =>
  on.many<{ readonly id: string; readonly patient: string; readonly resource: string; readonly escalations: number }>(
    sql`select id, patient, resource, escalations from bridge.alerts where acknowledged_at is null order by raised_at, id`,
  )
