import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Cell } from './index-cells.ts'
import { indexAddition } from './index-tables.ts'
import { keyOfDigest, parameterKey, type Key } from './keys.ts'
import { sharedKinds, type SharedKind } from './shared-parameters.ts'

/** Index rows that many resources have in common. */
export interface SharedSet {
  /** 64 bits of the digest: what stands where other rows have the key of their resource. */
  readonly key: Key
  /** Of the rows, whole: two sets with one key are told apart by it. */
  readonly digest: string
  readonly rows: SharedRows
}

export type SharedRows = Readonly<Record<SharedKind, readonly (readonly Cell[])[]>>

/** Undefined where there are no rows. */
export function sharedSetOf(rows: SharedRows): SharedSet | undefined {
  if (sharedKinds.every((kind) => rows[kind].length === 0)) return undefined
  const digest = hash('sha256', JSON.stringify(sharedKinds.map((kind) => rows[kind])))
  return { key: keyOfDigest(digest), digest, rows }
}

const rememberedMax = 5_000

/** Writes sets, each once. Nothing ever removes one, so what was committed need not be looked at again. */
export class SharedSets {
  readonly #digests = new LRUCache<Key, string>({ max: rememberedMax })

  /** When the transaction commits, the sets are there. Gives the keys that stand for another set already. */
  async settle(sets: readonly SharedSet[], tx: Transaction): Promise<ReadonlySet<Key>> {
    const taken = new Set(sets.filter((set) => this.#isTaken(set)).map(({ key }) => key))
    const unknown = new Map(sets.filter(({ key }) => !this.#digests.has(key)).map((set) => [set.key, set]))
    if (unknown.size === 0) return taken
    const [, there = []] = await tx.together([additionOf([...unknown.values()]), digestsOf([...unknown.keys()])])
    // Sound: it is what the statement selects.
    const digests = there as readonly { key: Key; digest: string }[]
    for (const { key, digest } of digests) if (unknown.get(key)?.digest !== digest) taken.add(key)
    tx.afterCommit(() => {
      for (const { key, digest } of digests) this.#digests.set(key, digest)
    })
    return taken
  }

  #isTaken({ key, digest }: SharedSet): boolean {
    const known = this.#digests.get(key)
    return known !== undefined && known !== digest
  }
}

/** Under it a set has its digest, in `tokens`: whoever writes this row writes the others in the same transaction. */
const digestParameter = parameterKey('', ':digest')

/** Waits for whoever writes the same set at this moment. In the order of keys, so that two cannot wait for each other. */
function additionOf(sets: readonly SharedSet[]): Statement {
  const additions = sharedKinds.map((kind) => {
    const rows = sets.flatMap(({ key, rows: { [kind]: own } }) => own.map((cells) => ({ key, cells })))
    return sql`${names[kind]} as (
      ${indexAddition(kind, rows)} as n (key) where n.key in (select claimed.key from claimed))`
  })
  return sql`
    with claimed as (
      insert into fhir.tokens (key, param, seq, system, code)
      select n.key, ${digestParameter}::integer, 0, 0, n.digest
      from unnest(${sets.map(({ key }) => key)}::bigint[], ${sets.map(({ digest }) => digest)}::text[]) as n (key, digest)
      order by n.key
      on conflict (key, param, seq) do nothing returning key
    ), ${joined(additions, ', ')} select`
}

const names: Readonly<Record<SharedKind, Statement>> = {
  tokens: sql`new_tokens`,
  strings: sql`new_strings`,
  uris: sql`new_uris`,
}

/** A statement of its own, so that it sees what was committed while the one before waited. */
const digestsOf = (keys: readonly Key[]): Statement => sql`
  select key, code as digest from fhir.tokens where key = any (${keys}::bigint[]) and param = ${digestParameter}::integer`
