import type { Write } from '../mapping/mapped.ts'
import { alsoStored, type Stored, type StoredResource } from './stored.ts'

/** The writes of a message, and what the store has of them. */
export interface WrittenTo {
  readonly writes: readonly Write[]
  readonly stored: Stored
}

/** What a message does not name and writes to all the same, because of what it does to something else. */
export interface Brought {
  readonly write: Write
  readonly resource: StoredResource
}

export const withBrought = (writes: readonly Write[], stored: Stored, brought: readonly Brought[]): WrittenTo => ({
  writes: [...writes, ...brought.map(({ write }) => write)],
  stored: alsoStored(
    stored,
    brought.map(({ write, resource }) => [write.fullUrl, resource] as const),
  ),
})
