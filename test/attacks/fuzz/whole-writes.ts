import type { Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

/** What the tables hold that only half a write would leave there, in sentences. */
export async function halfWrites(database: Database): Promise<string[]> {
  const rows = await database.many<{ what: string }>(sql`
    select 'resource without its newest version: ' || r.type || '/' || r.id as what
    from fhir.resources r left join fhir.versions v on v.key = r.key and v.version = r.version
    where v.key is null or (v.content is null) <> r.deleted
    union all
    select 'versions with a gap: ' || min(type) || '/' || min(id)
    from fhir.versions group by key having count(*) <> max(version)
    union all
    select 'version that says another id: ' || type || '/' || id
    from fhir.versions where content is not null and content::jsonb ->> 'id' is distinct from id
    union all
    select 'referral without its beginning: ' || r.id
    from referral.referrals r
    where not exists (select 1 from referral.events e where e.referral_id = r.id and e.from_status is null)
    union all
    select 'referral whose history ends elsewhere: ' || r.id
    from referral.referrals r
    where r.status <> (
      select e.to_status from referral.events e where e.referral_id = r.id and e.task_id is null
      order by e.at desc, e.id desc limit 1)
    union all
    select 'sent referral without a task: ' || r.id
    from referral.referrals r
    where r.status = 'ACTIVE' and not exists (select 1 from referral.tasks t where t.referral_id = r.id)
    union all
    select 'work that was given up: ' || queue from kit.outbox where dead_at is not null`)
  return rows.map(({ what }) => what)
}
