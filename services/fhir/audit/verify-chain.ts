import type { Queryable } from '../../../packages/sql/queryable.ts'
import { beginningHash, headAt, linkAfter, type ChainHead, type Link } from './chain-hash.ts'
import { auditContents, type KeptEvent } from './store/audit-contents.ts'
import { readChains, readLinks, type ChainRow } from './store/audit-chains.ts'

export type Verdict =
  | { readonly is: 'whole'; readonly chain: string; readonly length: number }
  | { readonly is: 'broken'; readonly chain: string; readonly position: number; readonly why: Breach }

export const breaches = [
  'link missing',
  'event missing',
  'event altered',
  'event replaced',
  'end missing',
  'beginning altered',
  'predecessor missing',
] as const

type Breach = (typeof breaches)[number]

/** One verdict a chain, the oldest first; or only that of the named one. */
export async function verifyChains(on: Queryable, only?: string): Promise<Verdict[]> {
  const chains = await readChains(on)
  const known = new Set(chains.map(({ chain }) => chain))
  const verdicts: Verdict[] = []
  for (const row of chains.filter(({ chain }) => only === undefined || chain === only)) {
    const isOrphan = row.predecessor !== undefined && !known.has(row.predecessor)
    verdicts.push(isOrphan ? broken(row, 0, 'predecessor missing') : await verifyChain(row, on))
  }
  return verdicts
}

/** Follows one chain from its beginning and makes every hash anew from what is kept. */
async function verifyChain(row: ChainRow, on: Queryable): Promise<Verdict> {
  let head: ChainHead = { length: 0, hash: beginningHash(row) }
  if (row.head.length === 0 && row.head.hash !== head.hash) return broken(row, 0, 'beginning altered')
  while (head.length < row.head.length) {
    const links = await readLinks(row.chain, head.length, pageSize, on)
    const events = await auditContents(
      links.map(({ eventId }) => eventId),
      on,
    )
    if (links.length === 0) return broken(row, head.length + 1, 'end missing')
    for (const link of links) {
      // More may have been written since the row was read.
      if (head.length === row.head.length) break
      const breach = breachOf(link, head, events.get(link.eventId))
      if (breach !== undefined) return broken(row, head.length + 1, breach)
      head = headAt(link)
    }
  }
  if (head.hash !== row.head.hash) return broken(row, head.length, 'end missing')
  return { is: 'whole', chain: row.chain, length: head.length }
}

const pageSize = 1_000

function breachOf(link: Link, head: ChainHead, kept: KeptEvent | undefined): Breach | undefined {
  if (link.position !== head.length + 1) return 'link missing'
  if (kept?.content === undefined) return 'event missing'
  if (!kept.isUntouched) return 'event replaced'
  return linkAfter(head, { id: link.eventId, content: kept.content }).hash === link.hash ? undefined : 'event altered'
}

const broken = ({ chain }: ChainRow, position: number, why: Breach): Verdict => ({ is: 'broken', chain, position, why })
