import type { Queryable } from '../../../../packages/sql/queryable.ts'
import { kept, sql, type Statement } from '../../../../packages/sql/sql.ts'
import type { ChainBeginning, ChainHead, Link } from '../chain-hash.ts'

/** `bigint` comes as text. A chain grows for as long as its process lives, past what PostgreSQL's `integer` holds. */
type AsBigint<Row, Name extends keyof Row> = Omit<Row, Name> & { readonly [Each in Name]: string }

/** The chain that was begun last. */
export async function newestChain(on: Queryable): Promise<string | undefined> {
  const row = await on.maybe<{ chain: string }>(
    sql`select chain from fhir.audit_chains order by started_at desc, chain desc limit 1`,
  )
  return row?.chain
}

export async function insertChain(beginning: ChainBeginning, head: ChainHead, on: Queryable): Promise<void> {
  const { chain, startedAt, predecessor } = beginning
  await on.run(sql`
    insert into fhir.audit_chains (chain, started_at, predecessor, length, head)
    values (${chain}, ${startedAt}, ${predecessor ?? null}, ${head.length}, decode(${head.hash}, 'hex'))`)
}

/** Held until the transaction ends. */
export async function lockChain(chain: string, tx: Queryable): Promise<ChainHead | undefined> {
  const row = await tx.maybe<AsBigint<ChainHead, 'length'>>(
    kept(
      'fhir_audit_lock',
      sql`select length, encode(head, 'hex') as hash from fhir.audit_chains where chain = ${chain} for update`,
    ),
  )
  return row && { ...row, length: Number(row.length) }
}

/** What adds links; the second statement gives the chain, unless it no longer stands where it was believed to. */
export const appendingLinks = (
  chain: string,
  before: ChainHead,
  links: readonly Link[],
  after: ChainHead,
): Statement[] => [
  kept(
    'fhir_audit_links',
    sql`
    insert into fhir.audit_links (chain, position, event_id, hash)
    select ${chain}::uuid, position, event_id, decode(hash, 'hex') from unnest(
      ${links.map(({ position }) => position)}::bigint[], ${links.map(({ eventId }) => eventId)}::text[],
      ${links.map(({ hash }) => hash)}::text[]) as n (position, event_id, hash)`,
  ),
  kept(
    'fhir_audit_head',
    sql`
    update fhir.audit_chains set length = ${after.length}, head = decode(${after.hash}, 'hex')
    where chain = ${chain} and length = ${before.length} and head = decode(${before.hash}, 'hex')
    returning chain`,
  ),
]

export interface ChainRow extends ChainBeginning {
  readonly head: ChainHead
}

export async function readChains(on: Queryable): Promise<ChainRow[]> {
  type Row = Omit<ChainRow, 'head' | 'predecessor'> & AsBigint<ChainHead, 'length'> & { predecessor: string | null }
  const rows = await on.many<Row>(sql`
    select chain, started_at as "startedAt", predecessor, length, encode(head, 'hex') as hash
    from fhir.audit_chains order by started_at, chain`)
  return rows.map(({ length, hash, predecessor, ...row }) => ({
    ...row,
    predecessor: predecessor ?? undefined,
    head: { length: Number(length), hash },
  }))
}

/** Links behind this position, in their order. */
export async function readLinks(chain: string, after: number, count: number, on: Queryable): Promise<Link[]> {
  const rows = await on.many<AsBigint<Link, 'position'>>(sql`
    select position, event_id as "eventId", encode(hash, 'hex') as hash from fhir.audit_links
    where chain = ${chain} and position > ${after} order by position limit ${count}`)
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}
