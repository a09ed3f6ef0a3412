import type { PageRequest } from '../../../packages/http/page-envelope.ts'
import type { Queryable } from '../../../packages/sql/database.ts'
import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import { isDeadLetter } from './dead-letters.ts'
import { endOf, firstIdOf } from './transaction-id.ts'
import { writtenAs } from './written-as.ts'
import type { WrittenResource } from '../persist/written-resource.ts'

/** One line of the transaction log. */
export interface TransactionRow {
  readonly id: string
  readonly channel_id: string
  readonly status: TransactionStatus
  readonly message_type: string
  readonly control_id: string
  readonly sending_application: string
  readonly sending_facility: string
  readonly facility_code: string | null
  readonly patient: string | null
  readonly golden_patient_id: string | null
  readonly fhir_resource_id: string | null
  readonly resources: readonly WrittenResource[]
  readonly warnings: Readonly<Record<string, number>>
  readonly stage: string
  readonly stage_ms: Readonly<Record<string, number>>
  readonly ack_code: string | null
  readonly error_code: string | null
  readonly error_message: string | null
  readonly attempts: number
  readonly next_attempt_at: Date | null
  readonly parent_transaction_id: string | null
  readonly is_stale: boolean
  readonly content_mismatch: boolean
  /** The address that it came from. */
  readonly peer: string | null
  readonly bytes: number
  readonly received_at: Date
  readonly completed_at: Date | null
  readonly duration_ms: number | null
}

export const transactionStatuses = ['PROCESSING', 'QUEUED', 'SUCCESS', 'ERROR', 'DUPLICATE'] as const

export type TransactionStatus = (typeof transactionStatuses)[number]

/** What narrows the list. Everything that is given must hold. */
export interface TransactionFilter {
  readonly status?: TransactionStatus
  /** What failed and was not sent again since. */
  readonly isDead?: boolean
  /** Null: of no facility. */
  readonly facilityCode?: string | null
  /** Days in UTC, `YYYY-MM-DD`, both included. */
  readonly from?: string
  readonly to?: string
  /** `ADT^A01`, or `ADT` for all its events. */
  readonly messageType?: string
  readonly channelId?: string
  readonly controlId?: string
  /** A patient's id in the store, golden id, or identifier as sent in PID-3. */
  readonly patientId?: string
  /** Of what failed, or waits because something did. Null: nobody says why. */
  readonly errorCode?: string | null
  /** Text anywhere in the message as it was sent. */
  readonly q?: string
}

export const transactionColumns = sql`t.id, t.channel_id, t.status, t.message_type, t.control_id, t.sending_application, t.sending_facility,
  t.facility_code, t.patient, t.golden_patient_id, t.fhir_resource_id, t.resources, t.warnings, t.stage, t.stage_ms,
  t.ack_code, t.error_code, t.error_message, t.attempts, t.next_attempt_at, t.parent_transaction_id, t.is_stale,
  t.content_mismatch, t.peer, t.bytes, t.received_at, t.completed_at, t.duration_ms`

/** An id begins with the time of receipt, so the order of ids is the order of receipt. */
const orders = {
  'startedAt,desc': sql`t.id desc`,
  'startedAt,asc': sql`t.id`,
  'durationMs,desc': sql`t.duration_ms desc nulls last, t.id desc`,
  'durationMs,asc': sql`t.duration_ms nulls last, t.id desc`,
  'status,desc': sql`t.status desc, t.id desc`,
  'status,asc': sql`t.status, t.id desc`,
} as const

export type TransactionOrder = keyof typeof orders

export const transactionOrders = Object.keys(orders) as [TransactionOrder, ...TransactionOrder[]]

export async function listTransactions(
  filter: TransactionFilter,
  order: TransactionOrder,
  { offset, size }: PageRequest,
  on: Queryable,
): Promise<{ readonly rows: readonly TransactionRow[]; readonly total: number }> {
  const { q, ...others } = filter
  const found = q === undefined ? [] : [withIds(await idsWithText(q, filter, contentSearchMax, on))]
  const which = joined([sql`true`, ...found, ...conditionsOf(others)], 'and')
  const [rows, { total }] = await Promise.all([
    on.many<TransactionRow>(
      sql`select ${transactionColumns} from bridge.all_transactions t where ${which}
        order by ${orders[order]} offset ${offset} limit ${size}`,
    ),
    on.one<{ total: number }>(sql`select count(*)::int as total from bridge.all_transactions t where ${which}`),
  ])
  return { rows, total }
}

export function findTransaction(id: string, on: Queryable): Promise<TransactionRow | undefined> {
  return on.maybe(sql`select ${transactionColumns} from bridge.all_transactions t where t.id = ${id}`)
}

/** The bytes as they came in; undefined when they were pruned or never were. */
export async function rawMessage(id: string, on: Queryable): Promise<Buffer | undefined> {
  const row = await on.maybe<{ raw: Buffer }>(sql`select raw from bridge.raw_messages where transaction_id = ${id}`)
  return row?.raw
}

export async function answerOf(id: string, on: Queryable): Promise<Buffer | undefined> {
  const row = await on.maybe<{ ack: Buffer }>(sql`select ack from bridge.answers where transaction_id = ${id}`)
  return row?.ack
}

export interface AttemptRow {
  readonly attempt: number
  readonly run: number
  readonly ended_at: Date
  readonly status: string
  readonly stage: string
  readonly stage_ms: Readonly<Record<string, number>>
  readonly was_called: boolean
  readonly error_code: string | null
  readonly error_message: string | null
  /** The operator who wanted it; nobody for what the retry queue does by itself. */
  readonly asked_by: string | null
}

export function attemptsOf(id: string, on: Queryable): Promise<AttemptRow[]> {
  return on.many(
    sql`select a.attempt, a.run, a.ended_at, a.status, a.stage, a.stage_ms, a.was_called, a.error_code, a.error_message,
        r.asked_by
      from bridge.attempts a left join bridge.retries r on r.transaction_id = a.transaction_id and r.attempt = a.attempt
      where a.transaction_id = ${id} order by a.run`,
  )
}

/** On `bridge.all_transactions t`; all of them must hold. */
export function conditionsOf(filter: Omit<TransactionFilter, 'q'>): Statement[] {
  const { status, isDead, facilityCode, from, to, messageType, channelId, controlId, patientId, errorCode } = filter
  return [
    ...(status === undefined ? [] : [sql`t.status = ${status}`]),
    ...(isDead === true ? [isDeadLetter] : []),
    ...(facilityCode === undefined ? [] : [facilityIs(facilityCode)]),
    ...(from === undefined ? [] : [sql`t.id >= ${firstIdOf(from)}`]),
    ...(to === undefined ? [] : [sql`t.id < ${endOf(to)}`]),
    ...(messageType === undefined ? [] : [typeIs(messageType)]),
    ...(channelId === undefined ? [] : [sql`t.channel_id = ${channelId}`]),
    ...(controlId === undefined ? [] : [sql`t.control_id = ${controlId}`]),
    ...(patientId === undefined ? [] : [patientIs(patientId)]),
    ...(errorCode === undefined ? [] : [errorIs(errorCode)]),
  ]
}

const facilityIs = (code: string | null): Statement =>
  code === null ? sql`t.facility_code is null` : sql`t.facility_code = ${code}`

/** The statuses are those of the index of what is unsettled: without them it would not be used. */
const errorIs = (code: string | null): Statement =>
  code === null
    ? sql`t.error_code is null`
    : sql`t.status in ('PROCESSING', 'QUEUED', 'ERROR') and t.error_code = ${code}`

/**
 * `ADT` means every event of ADT; the signs after it and the separator are those of the column's collation. The log has no
 * structure, so who looks for MSH-9 as it was sent finds its event.
 */
function typeIs(wanted: string): Statement {
  const [type = '', event = ''] = wanted.split('^')
  if (event !== '') return sql`t.message_type = ${`${type}^${event}`}`
  return sql`(t.message_type = ${type} or (t.message_type >= ${`${type}^`} and t.message_type < ${`${type}_`}))`
}

function patientIs(id: string): Statement {
  const bare = id.replace(/^Patient\//, '')
  return sql`(t.patient = ${`Patient/${bare}`} or t.golden_patient_id = ${bare} or t.patient_keys @> ${[bare]}::text[])`
}

/** So many of the newest messages are looked through; the bytes have no index. */
export const contentSearchMax = 50_000

/** The messages whose bytes hold the text, the newest first: looked for once, and not for a page and for its count. */
export async function idsWithText(
  text: string,
  { from, to }: Pick<TransactionFilter, 'from' | 'to'>,
  limit: number,
  on: Queryable,
): Promise<string[]> {
  const range = joined(
    [
      sql`true`,
      ...(from === undefined ? [] : [sql`m.transaction_id >= ${firstIdOf(from)}`]),
      ...(to === undefined ? [] : [sql`m.transaction_id < ${endOf(to)}`]),
    ],
    'and',
  )
  const found = await on.many<{ id: string }>(
    sql`select n.transaction_id as id from (select m.transaction_id, m.raw from bridge.raw_messages m where ${range}
        order by m.transaction_id desc limit ${contentSearchMax}) n
      where (${joined(writtenAs(text).map(isIn), 'or')}) order by n.transaction_id desc limit ${limit}`,
  )
  return found.map(({ id }) => id)
}

/** On `bridge.all_transactions t`. */
export const withIds = (ids: readonly string[]): Statement => sql`t.id = any(${ids}::text[])`

const isIn = (bytes: Buffer): Statement => sql`position(${bytes}::bytea in n.raw) > 0`
