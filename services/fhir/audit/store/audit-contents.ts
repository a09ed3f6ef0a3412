import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql } from '../../../../packages/sql/sql.ts'
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
