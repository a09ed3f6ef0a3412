import { hash } from 'node:crypto'

/** Where a chain stands: how many links it has, and the hash that the next one is made from. */
export interface ChainHead {
  readonly length: number
  /** Hexadecimal. */
  readonly hash: string
}

export interface ChainBeginning {
  readonly chain: string
  readonly startedAt: Date
  readonly predecessor: string | undefined
}

export interface Link {
  readonly position: number
  readonly eventId: string
  readonly hash: string
}

export function beginningHash({ chain, startedAt, predecessor }: ChainBeginning): string {
  return hash('sha256', JSON.stringify(['corridor audit chain', chain, startedAt.toISOString(), predecessor ?? null]))
}

/** The link of one event. Every part is in the hash, so nothing can be taken out, altered, added or moved unseen. */
export function linkAfter(head: ChainHead, event: { readonly id: string; readonly content: string }): Link {
  const position = head.length + 1
  const parts = [head.hash, position, event.id, hash('sha256', event.content)]
  return { position, eventId: event.id, hash: hash('sha256', JSON.stringify(parts)) }
}

export const headAt = ({ position, hash: own }: Link): ChainHead => ({ length: position, hash: own })
