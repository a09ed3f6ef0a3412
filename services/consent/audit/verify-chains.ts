import type { Queryable } from '../../../packages/sql/database.ts'
import { headlessChains, listChains, readEvents, type StoredChain } from '../store/audit-events.ts'
import { hashOf } from './audit-event.ts'

interface ChainReport {
  readonly events: number
  readonly chains: number
  /** The first place in each broken chain where it no longer holds. */
  readonly broken: readonly { readonly chain: string; readonly position: number }[]
}

/** Goes over every row of the trail. An edited, removed or inserted row is found where it breaks its chain. */
export async function verifyChains(on: Queryable): Promise<ChainReport> {
  const chains = await listChains(on)
  const broken = (await headlessChains(on)).map((chain) => ({ chain, position: 0 }))
  let events = 0
  for (const chain of chains) {
    const { length, brokenAt } = await verifyChain(chain, on)
    events += length
    if (brokenAt !== undefined) broken.push({ chain: chain.chain, position: brokenAt })
  }
  return { events, chains: chains.length, broken }
}

const partSize = 1_000

async function verifyChain(
  head: StoredChain,
  on: Queryable,
): Promise<{ length: number; brokenAt: number | undefined }> {
  let length = 0
  let previous = ''
  // Up to the head as it was read: what is added meanwhile is a matter for the next look.
  while (length < head.length) {
    const rows = await readEvents(head.chain, length, Math.min(partSize, head.length - length), on)
    if (rows.length === 0) break
    for (const row of rows) {
      const isNext = row.position === length + 1 && row.hash === hashOf(row, row.position, previous)
      if (!isNext) return { length, brokenAt: length + 1 }
      length = row.position
      previous = row.hash
    }
  }
  const isWhole = length === head.length && previous === head.hash
  return { length, brokenAt: isWhole ? undefined : length + 1 }
}
