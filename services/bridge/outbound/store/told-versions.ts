import type { Queryable } from '../../../../packages/sql/database.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import type { NewDelivery } from '../delivery.ts'
import { isHeardOf } from './superseded.ts'

type Subject = Pick<NewDelivery, 'subscriptionId' | 'resource'>

/** The versions of each resource that its subscription has told of, or is about to. */
export async function toldVersions(
  subjects: readonly Subject[],
  on: Queryable,
): Promise<{ of(subject: Subject): Set<string> }> {
  const told = new Map(subjects.map((subject) => [nameOf(subject), new Set<string>()]))
  if (subjects.length > 0) {
    const column = <Name extends keyof Subject>(name: Name) => subjects.map((subject) => subject[name])
    const rows = await on.many<Subject & { readonly versionId: string | null }>(sql`
      select d.subscription_id as "subscriptionId", d.resource, d.version_id as "versionId"
        from (select distinct * from unnest(${column('subscriptionId')}::text[], ${column('resource')}::text[]))
               as sought (subscription_id, resource)
        join bridge.deliveries as d
          on d.resource = sought.resource and d.subscription_id = sought.subscription_id and ${isHeardOf(sql`d`)}`)
    for (const row of rows) told.get(nameOf(row))?.add(row.versionId ?? '')
  }
  return { of: (subject) => told.get(nameOf(subject)) ?? new Set() }
}

const nameOf = ({ subscriptionId, resource }: Subject): string => `${subscriptionId} ${resource}`
