import type { Queryable, Transaction } from '../../../packages/sql/database.ts'
import { json, named, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { ChainedEvent, ChainHead } from '../audit/audit-event.ts'

/**
 * Adds rows to the end of a chain, in one statement and so all or none. Writing the same rows again, because nobody
 * knows whether the first time succeeded, changes nothing.
 */
export async function writeEvents(
  chain: string,
  rows: readonly ChainedEvent[],
  head: ChainHead,
  now: Date,
  on: Queryable,
): Promise<void> {
  // As one JSON value: a list for each column costs more than all the rest of an audited decision. Nothing is looked up
  // in the statement, so there is only one plan to keep.
  await on.run(
    named(
      'consent-audit',
      sql`
    with added as (
      insert into consent.audit_events (chain, position, at, event, outcome, subject, client_id, peer, request_id,
        decision_id, patient_id, actor_references, resource_type, operation, purpose_of_use, as_of, record_id,
        patients_seen, hash)
      select ${chain}::uuid, e.position, e.at, e.event, e.outcome, e.subject, e."clientId", e.peer, e."requestId",
        e."decisionId", e."patientId", e."actorReferences", e."resourceType", e.operation, e."purposeOfUse", e."asOf",
        e."recordId", e."patientsSeen", e.hash
      from json_to_recordset(${json(rows)}::json) as e (position bigint, at timestamptz, event text, outcome text,
        subject text, "clientId" text, peer text, "requestId" text, "decisionId" uuid, "patientId" text,
        "actorReferences" text[], "resourceType" text, operation text, "purposeOfUse" text, "asOf" date,
        "recordId" bigint, "patientsSeen" integer, hash text)
      on conflict (chain, position) do nothing
    )
    insert into consent.audit_chains (chain, length, head_hash, decisions, updated_at)
    values (${chain}, ${head.length}, ${head.hash}, ${head.decisions}, ${now})
    on conflict (chain) do update set length = excluded.length, head_hash = excluded.head_hash,
      decisions = excluded.decisions, updated_at = excluded.updated_at`,
    ),
  )
}

/** Where a chain stands; undefined before its first row. */
export async function chainHead(chain: string, on: Queryable): Promise<ChainHead | undefined> {
  const row = await on.maybe<{ length: string; hash: string; decisions: string }>(
    sql`select length, head_hash as hash, decisions from consent.audit_chains where chain = ${chain}`,
  )
  return row && { hash: row.hash, length: Number(row.length), decisions: Number(row.decisions) }
}

/**
 * Where a chain of several writers stands, held until the transaction ends, and the time of its next row: never before
 * that of the last, for the log is read by both place and time.
 */
export async function holdChain(
  chain: string,
  now: Date,
  tx: Transaction,
): Promise<{ readonly head: ChainHead; readonly at: Date }> {
  const { at, ...row } = await tx.one<{ length: string; hash: string; decisions: string; at: Date }>(sql`
    insert into consent.audit_chains as c (chain, length, head_hash, decisions, updated_at)
    values (${chain}, 0, '', 0, ${now})
    on conflict (chain) do update set updated_at = greatest(c.updated_at, excluded.updated_at)
    returning length, head_hash as hash, decisions, updated_at as at`)
  return { head: { hash: row.hash, length: Number(row.length), decisions: Number(row.decisions) }, at }
}

export interface StoredChain extends ChainHead {
  readonly chain: string
}

export async function listChains(on: Queryable): Promise<StoredChain[]> {
  const rows = await on.many<{ chain: string; length: string; hash: string; decisions: string }>(
    sql`select chain, length, head_hash as hash, decisions from consent.audit_chains order by chain`,
  )
  return rows.map((row) => ({ ...row, length: Number(row.length), decisions: Number(row.decisions) }))
}

/** Chains that have rows and no head: their row in audit_chains was taken away. */
export async function headlessChains(on: Queryable): Promise<string[]> {
  const rows = await on.many<{ chain: string }>(sql`
    select distinct e.chain from consent.audit_events e
    where not exists (select from consent.audit_chains c where c.chain = e.chain)`)
  return rows.map(({ chain }) => chain)
}

/** The rows of a chain after a position, in order. */
export async function readEvents(chain: string, after: number, limit: number, on: Queryable): Promise<ChainedEvent[]> {
  const rows = await on.many<
    Omit<ChainedEvent, 'position' | 'recordId'> & { position: string; recordId: string | null }
  >(
    sql`
      select position, at, event, outcome, subject, client_id as "clientId", peer, request_id as "requestId",
        decision_id as "decisionId", patient_id as "patientId", actor_references as "actorReferences",
        resource_type as "resourceType", operation, purpose_of_use as "purposeOfUse", as_of as "asOf",
        record_id as "recordId", patients_seen as "patientsSeen", hash
      from consent.audit_events where chain = ${chain} and position > ${after} order by position limit ${limit}`,
  )
  return rows.map((row) => ({
    ...row,
    position: Number(row.position),
    recordId: row.recordId === null ? null : Number(row.recordId),
  }))
}

/** Decisions, changes and looks within some time, chain by chain. */
export const auditTrail = (from: Date, to: Date): Statement =>
  sql`select * from consent.audit_events where at >= ${from} and at < ${to} order by chain, position`
