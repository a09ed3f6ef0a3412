import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Change, Stored } from './change.ts'
import type { Key } from './keys.ts'

export interface VersionRow extends Stored {
  readonly key: Key
  readonly method: Change['method']
  readonly patients: readonly Key[]
}

/** That a resource was deleted belongs to whom its last content belonged to. */
export const versionsOf = (rows: readonly VersionRow[]): Statement => sql`
    insert into fhir.versions (key, version, type, id, last_updated, method, patients, content)
    select key, version, type, id, last_updated, method,
           case when content is not null then patients::bigint[]
                else array(select member.patient from fhir.compartments as member where member.key = n.key) end,
           content
    from unnest(
      ${rows.map(({ key }) => key)}::bigint[], ${rows.map(({ version }) => version)}::integer[],
      ${rows.map(({ type }) => type)}::text[], ${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ lastUpdated }) => lastUpdated)}::timestamptz[], ${rows.map(({ method }) => method)}::text[],
      ${rows.map(({ patients }) => `{${patients.join()}}`)}::text[], ${rows.map(({ content }) => content ?? null)}::text[]
    ) as n (key, version, type, id, last_updated, method, patients, content)`
