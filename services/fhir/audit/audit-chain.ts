import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import { assert, bug } from '../../../packages/faults/fault.ts'
import type { Database, Transaction } from '../../../packages/sql/queryable.ts'
import { fullAccess } from '../scopes/access.ts'
import type { Body, Change } from '../store/change.ts'
import type { WriteDeps } from '../store/write-deps.ts'
import { writeAll } from '../store/write.ts'
import { beginningHash, headAt, linkAfter, type ChainHead, type Link } from './chain-hash.ts'
import { appendingLinks, insertChain, lockChain, newestChain } from './store/audit-chains.ts'

export interface AuditChainDeps extends WriteDeps {
  readonly database: Database
  readonly clock: Clock
  readonly ids: Ids
}

/** An event that is ready to be stored. It has its id, so that writing it twice is seen. */
export interface PreparedEvent {
  readonly id: string
  readonly body: Body
}

/** The chain of one writer. Nobody else writes to it, and it writes one batch after the other. */
export class AuditChain {
  readonly id: string
  readonly #deps: AuditChainDeps
  #head: ChainHead

  private constructor(id: string, head: ChainHead, deps: AuditChainDeps) {
    this.id = id
    this.#head = head
    this.#deps = deps
  }

  static async begin(deps: AuditChainDeps): Promise<AuditChain> {
    const { database, clock, ids } = deps
    const chain = ids.timeUuid()
    const head = await database.transaction(async (tx) => {
      const beginning = { chain, startedAt: clock.now(), predecessor: await newestChain(tx) }
      const first = { length: 0, hash: beginningHash(beginning) }
      await insertChain(beginning, first, tx)
      return first
    })
    return new AuditChain(chain, head, deps)
  }

  get head(): ChainHead {
    return this.#head
  }

  /** Resolves once all of them are durable. After a failure the same batch may be given again. */
  async append(batch: readonly PreparedEvent[]): Promise<void> {
    if (batch.length === 0) return
    this.#head = await this.#deps.database.transaction((tx) => this.#write(batch, tx), { plans: 'kept' })
  }

  async #write(batch: readonly PreparedEvent[], tx: Transaction): Promise<ChainHead> {
    const before = await lockChain(this.id, tx)
    if (before === undefined) throw bug('the audit chain of this writer is gone')
    // The connection was lost during COMMIT, and the batch was written all the same.
    if (before.length === this.#head.length + batch.length) return before
    assert(before.hash === this.#head.hash, 'somebody else wrote to the audit chain of this writer')
    const outcomes = await writeAll(batch.map(creationOf), tx, this.#deps)
    const links: Link[] = []
    let after = before
    for (const outcome of outcomes) {
      if (outcome.kind !== 'created') throw bug(`an AuditEvent was not created but ${outcome.kind}`)
      const { id, content = '' } = outcome.stored
      const link = linkAfter(after, { id, content })
      links.push(link)
      after = headAt(link)
    }
    const [, moved = []] = await tx.commitWith(appendingLinks(this.id, before, links, after))
    assert(moved.length === 1, 'the audit chain moved while it was locked')
    return after
  }
}

const creationOf = ({ id, body }: PreparedEvent): Change => ({
  method: 'POST',
  type: 'AuditEvent',
  target: { kind: 'id', id, mayCreate: true, isNewId: true },
  body,
  precondition: { isAbsent: true },
  access: fullAccess,
})
