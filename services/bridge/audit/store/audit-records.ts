import { hash } from 'node:crypto'
import type { Database, Queryable } from '../../../../packages/sql/database.ts'
import { sql, type Statement } from '../../../../packages/sql/sql.ts'
import { keysOfRecord } from '../read-record.ts'

/** Appends what is not there yet, each row's hash over the one before it. Writers take turns at the head of the chain. */
export async function addAuditRecords(records: readonly string[], now: Date, database: Database): Promise<void> {
  // A text of PostgreSQL holds no NUL, and what is hashed has to be what is kept.
  const texts = records.map((record) => record.replaceAll('\0', ''))
  const digests = new Map(texts.map((text) => [hash('sha256', text), text]))
  await database.transaction(async (tx) => {
    const head = await tx.one<{ length: string; head_hash: string }>(
      sql`select length, head_hash from bridge.audit_chain where one for update`,
    )
    const known = await tx.many<{ digest: string }>(
      sql`select digest from bridge.audit_records where digest = any(${[...digests.keys()]}::text[])`,
    )
    const seen = new Set(known.map(({ digest }) => digest))
    const rows = chained(
      [...digests].filter(([digest]) => !seen.has(digest)),
      head,
    )
    const last = rows.at(-1)
    if (last === undefined) return
    await tx.run(insertRows(rows, now))
    await tx.run(sql`
      update bridge.audit_chain set length = ${last.position}, head_hash = ${last.hash}
       where one and length = ${head.length}::bigint`)
  })
}

interface Row {
  readonly position: number
  readonly digest: string
  readonly record: string
  readonly hash: string
}

function chained(
  records: readonly (readonly [digest: string, record: string])[],
  head: { readonly length: string; readonly head_hash: string },
): Row[] {
  let position = Number(head.length)
  let previous = head.head_hash
  return records.map(([digest, record]) => {
    position++
    previous = linkHash(previous, position, digest)
    return { position, digest, record, hash: previous }
  })
}

const linkHash = (previous: string, position: number, digest: string) =>
  hash('sha256', JSON.stringify([previous, position, digest]))

function insertRows(rows: readonly Row[], now: Date): Statement {
  const keys = rows.map(({ record }) => keysOfRecord(record))
  return sql`
    insert into bridge.audit_records (position, digest, record, hash, event_at, event_id, event_type, action, outcome,
                                      source_user, patient, received_at)
    select n.*, ${now}::timestamptz
      from unnest(${rows.map(({ position }) => position)}::bigint[], ${rows.map(({ digest }) => digest)}::text[],
                  ${rows.map(({ record }) => record)}::text[], ${rows.map((row) => row.hash)}::text[],
                  ${keys.map(({ eventAt }) => eventAt)}::timestamptz[], ${keys.map(({ eventId }) => eventId)}::text[],
                  ${keys.map(({ eventType }) => eventType)}::text[], ${keys.map(({ action }) => action)}::text[],
                  ${keys.map(({ outcome }) => outcome)}::text[], ${keys.map(({ sourceUser }) => sourceUser)}::text[],
                  ${keys.map(({ patient }) => patient)}::text[]) as n`
}

type ChainVerdict = { readonly records: number } & (
  | { readonly is: 'whole' }
  | { readonly is: 'broken'; readonly position: number }
)

/** Follows the chain from its beginning and makes every hash anew from what is kept. */
export async function verifyAuditRecords(on: Queryable): Promise<ChainVerdict> {
  const head = await on.one<{ length: number; hash: string; hasMore: boolean }>(sql`
    select length::float8 as length, head_hash as hash,
           exists (select from bridge.audit_records as r where r.position > c.length) as "hasMore"
      from bridge.audit_chain as c where one`)
  let position = 0
  let previous = ''
  // Up to the head as it was read: what is added meanwhile is a matter for the next look.
  while (position < head.length) {
    const rows = await on.many<Row>(sql`
      select position::float8 as position, digest, record, hash from bridge.audit_records
       where position > ${position} and position <= ${head.length} order by position limit 1000`)
    for (const row of rows) {
      const isRight =
        row.position === position + 1 &&
        hash('sha256', row.record) === row.digest &&
        linkHash(previous, row.position, row.digest) === row.hash
      if (!isRight) return { is: 'broken', records: position, position: position + 1 }
      position = row.position
      previous = row.hash
    }
    if (rows.length === 0) break
  }
  const isWhole = position === head.length && previous === head.hash && !head.hasMore
  return isWhole ? { is: 'whole', records: position } : { is: 'broken', records: position, position: position + 1 }
}
