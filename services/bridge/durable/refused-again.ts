import { createHash } from 'node:crypto'
import { isLineEnd } from '../../../packages/hl7/index.ts'
import { kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import { contentHash } from '../pipeline/seen-key.ts'
import type { Failed } from '../pipeline/outcome.ts'
import type { Settling } from './settling.ts'

/** A message that was refused before anybody worked on it. */
type Refused = Settling & { readonly raw: Uint8Array; readonly finished: { readonly outcome: Failed } }

/** The same bytes but for the time in MSH-7, from the same sender, refused for the same reason, the oldest first. */
export interface RefusedAlike {
  readonly key: Buffer
  readonly content: Buffer
  readonly transactionIds: readonly string[]
}

export function refusedAlike(items: readonly Settling[]): RefusedAlike[] {
  const keyed = items.filter(isRefused).map((item) => ({ ...keyOf(item), id: item.finished.transactionId }))
  return [...Map.groupBy(keyed, ({ key }) => key.toString('hex')).values()]
    .flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [{ key: first.key, content: first.content, transactionIds: [first, ...others].map(({ id }) => id) }],
    )
    .sort((one, other) => Buffer.compare(one.key, other.key))
}

const isRefused = (item: Settling): item is Refused =>
  item.raw !== undefined && item.work === undefined && item.finished.outcome.status === 'ERROR'

/** Unlike the keys of control ids, so that neither is taken for the other: nobody is a duplicate of what was refused here. */
function keyOf({ channelId, certificateName = '', raw, finished }: Refused): Pick<RefusedAlike, 'key' | 'content'> {
  const { errorCode, errorMessage } = finished.outcome
  const { header, rest } = partsOf(raw)
  const key = createHash('sha256')
    .update(JSON.stringify(['refused', channelId, certificateName, errorCode, errorMessage, header]))
    .update(contentHash(rest))
    .digest()
  return { key, content: contentHash(raw) }
}

/** The first segment without MSH-7, and what follows it: some senders write the time of each try there. */
function partsOf(raw: Uint8Array): { readonly header: readonly string[]; readonly rest: Uint8Array } {
  const end = raw.findIndex(isLineEnd)
  const line = Buffer.from(raw.subarray(0, end < 0 ? raw.length : end)).toString('latin1')
  const separator = line[3]
  if (!line.startsWith('MSH') || separator === undefined) return { header: [], rest: raw }
  return { header: line.split(separator).map((field, at) => (at === 6 ? '' : field)), rest: raw.subarray(line.length) }
}

/** Each names the one that it repeats. One statement after their rows: whom the first repeats, the database knows. */
export function nameRepeated(alike: readonly RefusedAlike[], now: Date): Statement {
  const pairs = alike.flatMap(({ transactionIds }) =>
    transactionIds.slice(1).map((id, index) => ({ id, parent: transactionIds[index] ?? id })),
  )
  return kept(
    'bridge_name_repeated',
    sql`
    with remembered as (
      insert into bridge.seen as s (key, transaction_id, seen_at, content, is_refused)
      select m.key, m.transaction_id, ${now}::timestamptz, m.content, true
      from unnest(${alike.map(({ key }) => key)}::bytea[], ${alike.map((one) => one.transactionIds.at(-1) ?? '')}::text[],
        ${alike.map(({ content }) => content)}::bytea[]) as m (key, transaction_id, content)
      on conflict (key) do update set transaction_id = excluded.transaction_id, seen_at = excluded.seen_at,
        parent_transaction_id = s.transaction_id
      returning key, parent_transaction_id),
    repeated as (
      select m.id, r.parent_transaction_id as parent
      from unnest(${alike.map(({ key }) => key)}::bytea[], ${alike.map((one) => one.transactionIds[0] ?? '')}::text[])
        as m (key, id)
      join remembered r on r.key = m.key
      union all
      select m.id, m.parent from unnest(${pairs.map(({ id }) => id)}::text[], ${pairs.map(({ parent }) => parent)}::text[])
        as m (id, parent))
    -- A commit whose answer was lost is written again: none repeats itself.
    update bridge.transactions t set parent_transaction_id = m.parent
    from repeated m where t.id = m.id and m.parent <> t.id`,
  )
}
