import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import { joined, sql, type Statement } from '../../../packages/sql/sql.ts'
import type { Cell } from './index-cells.ts'
import { indexInsertion } from './index-tables.ts'
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

type SharedRows = Readonly<Record<SharedKind, readonly (readonly Cell[])[]>>

/** Undefined where there are no rows. */
export function sharedSetOf(rows: SharedRows): SharedSet | undefined {
  if (sharedKinds.every((kind) => rows[kind].length === 0)) return undefined
  const digest = hash('sha256', JSON.stringify(sharedKinds.map((kind) => rows[kind])))
  return { key: keyOfDigest(digest), digest, rows }
}

const rememberedMax = 20_000

/** A database that fell back to an earlier state has lost sets too: they come back within this time. */
const rememberedMs = 600_000

/** Writes sets, each once. Nothing ever removes one, so what was committed need not be looked at again for a while. */
export class SharedSets {
  readonly #clock: Clock
  readonly #known = new LRUCache<Key, { readonly digest: string; readonly untilMs: number }>({ max: rememberedMax })

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock
  }

  /** When the transaction commits, the sets are there. Gives those whose key stands for another set already. */
  async settle(sets: readonly SharedSet[], tx: Transaction): Promise<ReadonlySet<SharedSet>> {
    if (sets.length === 0) return none
    const nowMs = this.#clock.monotonicMs()
    const digests = new Map<Key, string>()
    const unknown = new Map<Key, SharedSet>()
    for (const set of sets) {
      const known = this.#known.get(set.key)
      if (known !== undefined && known.untilMs > nowMs) digests.set(set.key, known.digest)
      else unknown.set(set.key, set)
    }
    if (unknown.size > 0) {
      const there = await write([...unknown.values()], tx)
      for (const { key, digest } of there) digests.set(key, digest)
      tx.afterCommit(() => {
        for (const { key, digest } of there) this.#known.set(key, { digest, untilMs: nowMs + rememberedMs })
      })
    }
    return new Set(sets.filter(({ key, digest }) => digests.get(key) !== digest))
  }
}

const none: ReadonlySet<SharedSet> = new Set()

/** Gives the digests that the keys have now. */
async function write(sets: readonly SharedSet[], tx: Transaction) {
  const [, there = []] = await tx.together([additionOf(sets), digestsOf(sets.map(({ key }) => key))])
  // Sound: it is what the statement selects.
  return there as { readonly key: Key; readonly digest: string }[]
}

/** Under it a set has its digest, in `tokens`: whoever writes this row writes the others in the same transaction. */
const digestParameter = parameterKey('', ':digest')

/** Waits for whoever writes the same set at this moment. In the order of keys, so that two cannot wait for each other. */
function additionOf(sets: readonly SharedSet[]): Statement {
  const additions = sharedKinds.map((kind) => {
    const rows = sets.flatMap(({ key, rows: { [kind]: own } }) => own.map((cells) => ({ key, cells })))
    return sql`${names[kind]} as (
      ${indexInsertion(kind, rows)} where n.key in (select claimed.key from claimed))`
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
