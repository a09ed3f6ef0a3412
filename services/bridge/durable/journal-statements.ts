import { kept, sql, type Statement } from '../../../packages/sql/sql.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import type { ChannelId } from '../pipeline/channel.ts'
import type { Header } from '../pipeline/header.ts'

/** A message on its way into the journal. */
export interface Entry {
  readonly transactionId: string
  readonly channelId: ChannelId
  readonly header: Header
  readonly facility: string
  readonly key: Buffer
  readonly content: Buffer
  readonly lanes: readonly string[]
  readonly patientKeys: readonly string[]
  readonly peer: string
  readonly receivedAt: Date
  readonly bytes: Uint8Array
  readonly attemptLimit: number
}

export interface JournalOptions {
  readonly copy: string
  readonly now: Date
  readonly windowMs: number
}

/** J: everything about these messages in one transaction. No key is in it twice. */
export function journalStatements(entries: readonly Entry[], options: JournalOptions): readonly Statement[] {
  const claims = laneClaims(entries)
  return [
    rememberSeen(entries, options),
    ...(claims.lanes.length === 0 ? [] : [takeTickets(claims, options.now)]),
    keepRaw(entries),
    openWork(claims.rows, options.copy),
    selectSeen(entries),
    selectPlaces(entries, options.copy),
  ]
}

export interface SeenRow {
  readonly key: Buffer
  readonly transactionId: string
  readonly content: Buffer
  readonly parent: string | null
}

export interface PlaceRow {
  readonly transactionId: string
  readonly lane: string
  readonly ticket: string
  readonly ahead: 'parked' | 'others' | null
  /** Lower tickets in the lane that belong to this copy. */
  readonly own: readonly string[]
}

/** The key is ours when nobody had it within the window, or when whoever had it was refused. */
function rememberSeen(entries: readonly Entry[], { now, windowMs }: JournalOptions): Statement {
  const sorted = entries.toSorted((a, b) => Buffer.compare(a.key, b.key))
  const since = new Date(now.getTime() - windowMs)
  return kept(
    'bridge_remember_seen',
    sql`
    insert into bridge.seen as s (key, transaction_id, seen_at, content, is_refused)
    select m.key, m.transaction_id, ${now}::timestamptz, m.content, false
    from unnest(${sorted.map(({ key }) => key)}::bytea[], ${idsOf(sorted)}::text[],
      ${sorted.map(({ content }) => content)}::bytea[]) as m (key, transaction_id, content)
    on conflict (key) do update set
      transaction_id = excluded.transaction_id,
      seen_at = excluded.seen_at,
      content = excluded.content,
      is_refused = false,
      parent_transaction_id = case when s.is_refused and s.seen_at > ${since}::timestamptz then s.transaction_id end
    where s.is_refused or s.seen_at <= ${since}::timestamptz`,
  )
}

/** Duplicates take tickets too: a number that nobody uses does no harm, and who is one is known only here. */
function takeTickets({ lanes, counts }: LaneClaims, now: Date): Statement {
  return kept(
    'bridge_take_tickets',
    sql`
    insert into bridge.lanes as l (lane, last_ticket, used_at)
    select m.lane, m.count, ${now}::timestamptz from unnest(${lanes}::uuid[], ${counts}::bigint[]) as m (lane, count)
    on conflict (lane) do update set
      last_ticket = l.last_ticket + excluded.last_ticket,
      used_at = excluded.used_at`,
  )
}

function keepRaw(entries: readonly Entry[]): Statement {
  const facts = entries.map(rawFacts)
  return kept(
    'bridge_keep_raw',
    sql`
    insert into bridge.raw_messages
      (transaction_id, channel_id, message_type, control_id, sending_application, sending_facility, facility_code,
       patient_keys, peer, received_at, parent_transaction_id, raw)
    select f.transaction_id, f.channel_id, f.message_type, f.control_id, f.sending_application, f.sending_facility,
      f.facility_code, f.patient_keys, f.peer, f.received_at, s.parent_transaction_id, m.raw
    from unnest(${entries.map(({ key }) => key)}::bytea[], ${entries.map(({ bytes }) => bytes)}::bytea[],
      ${facts}::jsonb[]) as m (key, raw, facts)
    cross join lateral jsonb_populate_record(null::bridge.raw_messages, m.facts) as f
    join bridge.seen s on s.key = m.key and s.transaction_id = f.transaction_id`,
  )
}

/** A row of raw_messages without its bytes, as JSON. */
export const rawFacts = (
  entry: Pick<Entry, 'transactionId' | 'channelId' | 'header' | 'facility' | 'patientKeys' | 'peer' | 'receivedAt'>,
): string =>
  JSON.stringify({
    transaction_id: entry.transactionId,
    channel_id: entry.channelId,
    message_type: entry.header.messageType,
    control_id: entry.header.controlId,
    sending_application: entry.header.sendingApplication,
    sending_facility: entry.header.sendingFacility,
    facility_code: entry.facility,
    patient_keys: entry.patientKeys,
    peer: entry.peer,
    received_at: entry.receivedAt,
  })

interface LaneRow {
  readonly entry: Entry
  readonly lane: string
  readonly isMain: boolean
  /** How many of the batch come after it in the lane. */
  readonly behind: number
}

interface LaneClaims {
  readonly lanes: readonly string[]
  readonly counts: readonly number[]
  readonly rows: readonly LaneRow[]
}

/** How many tickets each lane needs, and who gets which of them, in the order of the batch. */
export function laneClaims(entries: readonly Entry[]): LaneClaims {
  const counts = new Map<string, number>()
  for (const { lanes } of entries) for (const lane of lanes) counts.set(lane, (counts.get(lane) ?? 0) + 1)
  const left = new Map(counts)
  const rows = entries.flatMap((entry): LaneRow[] => {
    // A message without a lane has one to itself.
    if (entry.lanes.length === 0) return [{ entry, lane: nameUuid(entry.transactionId), isMain: true, behind: 0 }]
    return entry.lanes.map((lane, index) => {
      const behind = (left.get(lane) ?? 1) - 1
      left.set(lane, behind)
      return { entry, lane, isMain: index === 0, behind }
    })
  })
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  return { lanes: sorted.map(([lane]) => lane), counts: sorted.map(([, count]) => count), rows }
}

/** The lane's row is locked by us since takeTickets, so its last ticket is that of our last message in it. */
function openWork(rows: readonly LaneRow[], copy: string): Statement {
  return kept(
    'bridge_open_work',
    sql`
    insert into bridge.open_work
      (lane, ticket, transaction_id, channel_id, copy, is_main, attempt, attempt_limit, runs)
    select m.lane, coalesce(l.last_ticket - m.behind, 0), m.transaction_id, m.channel_id, ${copy}, m.is_main, 1,
      m.attempt_limit, 1
    from unnest(${rows.map(({ lane }) => lane)}::uuid[], ${rows.map(({ behind }) => behind)}::int[],
      ${rows.map(({ isMain }) => isMain)}::boolean[], ${idsOf(rows.map(({ entry }) => entry))}::text[],
      ${rows.map(({ entry }) => entry.channelId)}::text[], ${rows.map(({ entry }) => entry.attemptLimit)}::int[],
      ${rows.map(({ entry }) => entry.key)}::bytea[])
      as m (lane, behind, is_main, transaction_id, channel_id, attempt_limit, key)
    join bridge.seen s on s.key = m.key and s.transaction_id = m.transaction_id
    left join bridge.lanes l on l.lane = m.lane`,
  )
}

function selectSeen(entries: readonly Entry[]): Statement {
  return kept(
    'bridge_select_seen',
    sql`
    select key, transaction_id as "transactionId", content, parent_transaction_id as parent
    from bridge.seen where key = any(${entries.map(({ key }) => key)}::bytea[])`,
  )
}

function selectPlaces(entries: readonly Entry[], copy: string): Statement {
  return kept(
    'bridge_select_places',
    sql`
    select o.transaction_id as "transactionId", o.lane, o.ticket,
      case when exists (select 1 from bridge.open_work e
                        where e.lane = o.lane and e.ticket < o.ticket and e.copy is null) then 'parked'
           when exists (select 1 from bridge.open_work e
                        where e.lane = o.lane and e.ticket < o.ticket and e.copy <> ${copy}) then 'others' end as ahead,
      array(select e.ticket::text from bridge.open_work e
            where e.lane = o.lane and e.ticket < o.ticket and e.copy = ${copy}) as own
    from bridge.open_work o where o.transaction_id = any(${idsOf(entries)}::text[])`,
  )
}

const idsOf = (entries: readonly { readonly transactionId: string }[]) =>
  entries.map(({ transactionId }) => transactionId)
