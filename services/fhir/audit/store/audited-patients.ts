import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { sql } from '../../../../packages/sql/sql.ts'
import { resourceKey } from '../../store/keys.ts'
import type { AuditedAccess, TouchedResource } from '../audited-access.ts'
import type { PatientsOf } from '../audited-parts.ts'
import { isChange } from '../patterns.ts'

/**
 * The patients of resources, looked up after the access: the answer does not wait for it. A version that was written
 * counts with the one before it, so that moving or deleting a resource is told of the patient who had it. What belongs to
 * a crowd, as the group of a study does, tells of none of them that somebody was looked at: it is told of once.
 */
export async function auditedPatients(accesses: readonly AuditedAccess[], on: Queryable): Promise<PatientsOf> {
  const asked = new Map<string, TouchedResource & { back: number }>()
  for (const { interaction, touched } of accesses) {
    const back = isChange(interaction) ? 1 : 0
    for (const resource of touched) asked.set(nameOf(resource, back), { ...resource, back })
  }
  if (asked.size === 0) return () => []
  const [names, all] = [[...asked.keys()], [...asked.values()]]
  // By their places in the list: a name has in it what an address said, and may hold what no database takes.
  const rows = await on.many<{ at: number; id: string }>(sql`
    select distinct asked.at::integer - 1 as at, p.id
    from unnest(
      ${all.map(({ type, id }) => resourceKey(type, id))}::bigint[],
      ${all.map(({ version }) => version ?? null)}::integer[], ${all.map(({ back }) => back)}::integer[]
    ) with ordinality as asked (key, version, back, at)
    join fhir.resources as r on r.key = asked.key
    cross join lateral (
      -- At most two; with the limit each is looked up, whatever is known of how many versions there are.
      select v.patients from fhir.versions as v
      where v.key = asked.key
        and v.version between coalesce(asked.version, r.version) - asked.back and coalesce(asked.version, r.version)
      order by v.version desc limit 2
    ) as told
    cross join unnest(told.patients) as owner (key)
    join fhir.resources as p on p.key = owner.key and p.type = 'Patient'
    where cardinality(told.patients) <= ${crowd}`)
  const patients = new Map<string, string[]>()
  for (const { at, id } of rows) {
    const name = names[at] ?? ''
    const found = patients.get(name)
    if (found === undefined) patients.set(name, [id])
    else found.push(id)
  }
  return (resource, { interaction }) => patients.get(nameOf(resource, isChange(interaction) ? 1 : 0)) ?? []
}

/** More than take part in an appointment or belong to a family. */
const crowd = 1_000

const nameOf = ({ type, id, version }: TouchedResource, back: number) => `${type}/${id}/${version ?? ''}/${back}`
