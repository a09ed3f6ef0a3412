import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import { resourceKey } from '../../store/keys.ts'

export interface KeptEvent {
  readonly id: string
  /** As it was first written; undefined where that is gone. */
  readonly content: string | undefined
  /** Nothing was written over it, and it was not deleted. */
  readonly isUntouched: boolean
}

/** AuditEvents as they are kept now. */
export async function auditContents(ids: readonly string[], on: Queryable): Promise<Map<string, KeptEvent>> {
  const rows = await on.many<KeptEvent & { content: string | null }>(sql`
    select r.id, v.content, r.version = 1 and not r.deleted as "isUntouched"
    from fhir.resources as r left join fhir.versions as v on v.key = r.key and v.version = 1
    where r.key = any (${ids.map((id) => resourceKey('AuditEvent', id))}::bigint[]) and r.type = 'AuditEvent'`)
  return new Map(rows.map(({ content, ...row }) => [row.id, { ...row, content: content ?? undefined }]))
}

/** What was written within some time, with its places in the chains. */
export const auditTrail = (from: Date, to: Date): Statement => sql`
  select l.chain, l.position, encode(l.hash, 'hex') as hash, v.last_updated, v.content::json as event
  from fhir.versions v join fhir.audit_links l on l.event_id = v.id
  where v.type = 'AuditEvent' and v.last_updated >= ${from} and v.last_updated < ${to}
  order by l.chain, l.position`
