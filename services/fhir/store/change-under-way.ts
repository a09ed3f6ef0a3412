import type { Change, Outcome } from './change.ts'
import type { Head, NewHead } from './heads.ts'
import type { ResourceIndex } from './index-rows.ts'
import type { Key } from './keys.ts'
import type { VersionRow } from './version-rows.ts'

/** A change that waits for its outcome. */
export interface Waiting {
  /** Its place in the list of outcomes. */
  readonly at: number
  readonly change: Change
  /** What two changes may not have in common within a round: the key of what is named, else the claim of the criteria. */
  readonly slot: Key
}

/** A change that knows which resource it is about. */
export interface Placed extends Waiting {
  readonly key: Key
  readonly id: string
  readonly mayCreate: boolean
  /** Nothing matched, so what has this id already is something else. */
  readonly mustBeNew: boolean
  /** The id was made for it: nobody else can have it. */
  readonly isNewId: boolean
  /** The version that the criteria found; another one may no longer match. */
  readonly seenVersion: number | undefined
}

export interface Places {
  readonly placed: readonly Placed[]
  /** What is there of them, locked. Where there is none, somebody else may still be quicker to create it. */
  readonly heads: ReadonlyMap<Key, Head | undefined>
}

/** A change as it is written: its resource's row is known and locked. */
export interface Writing {
  readonly kind: 'write'
  readonly at: number
  readonly placed: Placed
  /** Undefined: nothing of this id has ever been there. */
  readonly before: Head | undefined
  readonly head: NewHead
  readonly version: VersionRow
  /** Undefined where the resource is deleted. */
  readonly index: ResourceIndex | undefined
  readonly outcome: Outcome
}
