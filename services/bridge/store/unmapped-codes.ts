import type { Ids } from '../../../packages/clock/ids.ts'
import type { PageRequest } from '../../../packages/http/page-envelope.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Finished, FinishPart } from '../pipeline/finished.ts'

/** Opens an item for each sender and code that has no counterpart, in the same commit as the end of its message. */
export const unmappedCodesPart = (ids: Ids): FinishPart => ({
  statement: (finished) => noteUnmapped(finished, ids),
  committed: () => {},
})

interface Use {
  readonly finished: Finished
  readonly target: string
  readonly system: string
  readonly code: string
  readonly display: string | undefined
  readonly path: string
}

function noteUnmapped(finished: readonly Finished[], ids: Ids): Statement | undefined {
  const uses = finished.flatMap((one): Use[] =>
    one.outcome.status === 'SUCCESS'
      ? one.outcome.unmapped.map(({ target, system, code, display, path }) => ({
          ...{ finished: one, target, system, code, display, path },
        }))
      : [],
  )
  if (uses.length === 0) return undefined
  // Folded by key and sorted by it: one row a code, and copies that write at once take the rows in the same order.
  const items = [...Map.groupBy(uses, keyOf)].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, all]) => all)
  const firsts = items.flatMap(([first]) => (first === undefined ? [] : [first]))
  const at = finished[0]?.finishedAt
  // What belongs together is looked up in a map: this statement is planned without hashes, and a join of thousands by five
  // texts looks at all pairs: 25 s for the 3,000 codes of one message, in which no message of this copy ends.
  return sql`with used as (
      select u.*, ${keyIn(sql`u`)} as key from unnest(
        ${uses.map(({ finished: { sendingApplication } }) => sendingApplication)}::text[],
        ${uses.map(({ finished: { sendingFacility } }) => sendingFacility)}::text[],
        ${uses.map(({ target }) => target)}::text[],
        ${uses.map(({ system }) => system)}::text[],
        ${uses.map(({ code }) => code)}::text[],
        ${uses.map(({ finished: { transactionId } }) => transactionId)}::text[])
        as u (sending_application, sending_facility, target, system, code, transaction_id)),
    -- A message that is run again uses nothing once more: its sender has sent it once.
    counted as (
      select coalesce(jsonb_object_agg(key, uses), '{}') as uses_of from (
        select u.key, count(*) as uses from used u
        where (
          -- A value, not a join: it is found by its key, however many messages have the code.
          select true from bridge.unmapped_codes c
          join bridge.unmapped_uses k on k.unmapped_code_id = c.id and k.transaction_id = u.transaction_id
          where (c.sending_application, c.sending_facility, c.target, c.system, c.code)
            = (u.sending_application, u.sending_facility, u.target, u.system, u.code)) is null
        group by u.key) as news),
    items as (
      insert into bridge.unmapped_codes (id, sending_application, sending_facility, target, system, code, display, path,
        uses, first_seen_at, last_seen_at)
      select f.id, f.sending_application, f.sending_facility, f.target, f.system, f.code, f.display, f.path,
        coalesce((n.uses_of ->> ${keyIn(sql`f`)})::bigint, 0), ${at}::timestamptz, ${at}::timestamptz
      from unnest(
        ${firsts.map(() => ids.timeUuid())}::uuid[],
        ${firsts.map(({ finished: { sendingApplication } }) => sendingApplication)}::text[],
        ${firsts.map(({ finished: { sendingFacility } }) => sendingFacility)}::text[],
        ${firsts.map(({ target }) => target)}::text[],
        ${firsts.map(({ system }) => system)}::text[],
        ${firsts.map(({ code }) => code)}::text[],
        ${firsts.map(({ display }) => display ?? null)}::text[],
        ${firsts.map(({ path }) => path)}::text[]) with ordinality
        as f (id, sending_application, sending_facility, target, system, code, display, path, place)
      cross join counted n
      order by f.place
      on conflict (sending_application, sending_facility, target, system, code) do update
        set uses = unmapped_codes.uses + excluded.uses, last_seen_at = excluded.last_seen_at, path = excluded.path
      returning id, sending_application, sending_facility, target, system, code),
    known as (select jsonb_object_agg(${keyIn(sql`i`)}, i.id) as id_of from items i)
    insert into bridge.unmapped_uses (unmapped_code_id, transaction_id)
    select (known.id_of ->> u.key)::uuid, u.transaction_id from used u cross join known
    on conflict do nothing`
}

const keyIn = (row: Statement): Statement =>
  sql`jsonb_build_array(${row}.sending_application, ${row}.sending_facility, ${row}.target, ${row}.system, ${row}.code)::text`

const keyOf = ({ finished: { sendingApplication, sendingFacility }, target, system, code }: Use): string =>
  JSON.stringify([sendingApplication, sendingFacility, target, system, code])

export interface UnmappedCodeRow {
  readonly id: string
  readonly sending_application: string
  readonly sending_facility: string
  readonly target: string
  readonly system: string
  readonly code: string
  readonly display: string | null
  readonly path: string
  /** PostgreSQL's bigint, which comes as text. */
  readonly uses: string
  readonly first_seen_at: Date
  readonly last_seen_at: Date
  readonly mapped_code: string | null
  readonly mapped_display: string | null
  readonly mapped_at: Date | null
  readonly mapped_by: string | null
}

const columns = sql`id, sending_application, sending_facility, target, system, code, display, path, uses, first_seen_at,
  last_seen_at, mapped_code, mapped_display, mapped_at, mapped_by`

export async function listUnmappedCodes(
  status: 'open' | 'mapped',
  { offset, size }: PageRequest,
  on: Queryable,
): Promise<{ readonly rows: readonly UnmappedCodeRow[]; readonly total: number }> {
  const which = status === 'open' ? sql`where mapped_at is null` : sql`where mapped_at is not null`
  const [rows, { total }] = await Promise.all([
    on.many<UnmappedCodeRow>(
      sql`select ${columns} from bridge.unmapped_codes ${which} order by last_seen_at desc, id offset ${offset} limit ${size}`,
    ),
    on.one<{ total: number }>(sql`select count(*)::int as total from bridge.unmapped_codes ${which}`),
  ])
  return { rows, total }
}

export function findUnmappedCode(id: string, on: Queryable): Promise<UnmappedCodeRow | undefined> {
  return on.maybe(sql`select ${columns} from bridge.unmapped_codes where id = ${id}`)
}

/** Nobody else maps a claimed code, whichever of its senders the item is of: they share what it means. */
export interface CodeClaim {
  readonly id: string
  readonly by: string
  /** What the item is mapped to; nothing while it is open. */
  readonly replaces: string | undefined
  readonly at: Date
  readonly until: Date
}

/** False when it is mapped to something else, or somebody else is about to map it. */
export async function claimCode({ id, by, replaces, at, until }: CodeClaim, on: Queryable): Promise<boolean> {
  const claimed = await on.many<{ id: string }>(
    sql`update bridge.unmapped_codes c set claimed_by = ${by}, claimed_until = ${until}
      from bridge.unmapped_codes item
      where item.id = ${id} and (c.target, c.system, c.code) = (item.target, item.system, item.code)
        and (c.claimed_until is null or c.claimed_until < ${at})
        and (c.id <> item.id or c.mapped_code is not distinct from ${replaces ?? null}::text)
      returning c.id`,
  )
  if (claimed.some((one) => one.id === id)) return true
  if (claimed.length > 0) await giveBackClaim(by, on)
  return false
}

export async function giveBackClaim(by: string, on: Queryable): Promise<void> {
  await on.run(sql`update bridge.unmapped_codes set claimed_by = null, claimed_until = null where claimed_by = ${by}`)
}

/** Ends the claim. False when it was held for so long that somebody else has it now. */
export async function markMapped(
  { claim, code, display, at, by }: { claim: string; code: string; display: string | undefined; at: Date; by: string },
  on: Queryable,
): Promise<boolean> {
  const changed = await on.run(
    sql`update bridge.unmapped_codes set mapped_code = ${code}, mapped_display = ${display ?? null}, mapped_at = ${at},
      mapped_by = ${by}, claimed_by = null, claimed_until = null where claimed_by = ${claim}`,
  )
  return changed > 0
}

/**
 * The messages that hold it and can be run again, of all its senders, oldest first, behind the one that is named. So many of
 * each sender in the order of its key: joined, all that follow were read and sorted for each step (1 s of 400,000).
 */
export async function usesOf(
  { target, system, code }: Pick<UnmappedCodeRow, 'target' | 'system' | 'code'>,
  { after = '', limit }: { readonly after?: string; readonly limit: number },
  on: Queryable,
): Promise<string[]> {
  const rows = await on.many<{ transaction_id: string }>(
    sql`select distinct use.transaction_id from bridge.unmapped_codes c cross join lateral (
        select u.transaction_id from bridge.unmapped_uses u
        where u.unmapped_code_id = c.id and u.transaction_id > ${after}
          -- No exists, of which the planner makes a join that begins with the first message of all.
          and (select true from bridge.raw_messages m where m.transaction_id = u.transaction_id)
        order by u.transaction_id limit ${limit}) as use
      where (c.target, c.system, c.code) = (${target}::text, ${system}::text, ${code}::text)
      order by use.transaction_id limit ${limit}`,
  )
  return rows.map((row) => row.transaction_id)
}

export async function countUses(
  { target, system, code }: Pick<UnmappedCodeRow, 'target' | 'system' | 'code'>,
  { after = '' }: { readonly after?: string },
  on: Queryable,
): Promise<number> {
  const { count } = await on.one<{ count: number }>(sql`
    select count(distinct u.transaction_id)::int as count
    from bridge.unmapped_uses u join bridge.unmapped_codes c on c.id = u.unmapped_code_id
    where (c.target, c.system, c.code) = (${target}::text, ${system}::text, ${code}::text)
      and u.transaction_id > ${after} and exists (select 1 from bridge.raw_messages m where m.transaction_id = u.transaction_id)`)
  return count
}

/** How many of them were run again when it was mapped. */
export async function countRerun(
  { target, system, code, mapped_at, mapped_by }: UnmappedCodeRow,
  on: Queryable,
): Promise<number> {
  const { count } = await on.one<{ count: number }>(
    sql`select count(distinct u.transaction_id)::int as count from bridge.unmapped_uses u
      join bridge.unmapped_codes c on c.id = u.unmapped_code_id
      join bridge.retries r on r.transaction_id = u.transaction_id
      where (c.target, c.system, c.code) = (${target}::text, ${system}::text, ${code}::text)
        and r.asked_at >= ${mapped_at} and r.asked_by = ${mapped_by}`,
  )
  return count
}
