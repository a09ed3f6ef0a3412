import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

const blockSize = 50

/**
 * Hands out growing numbers. A copy takes a block at a time: a sequence would tie us to engines that have them, and one
 * row that every new referral updates would make them wait for each other. Ask before a transaction, not inside one.
 */
export class IdBlocks {
  readonly #name: 'referrals' | 'tasks'
  readonly #database: Queryable
  #next = 0
  #end = 0
  #reserving: Promise<void> | undefined

  constructor(name: 'referrals' | 'tasks', database: Queryable) {
    this.#name = name
    this.#database = database
  }

  async next(): Promise<number> {
    while (this.#next >= this.#end) {
      this.#reserving ??= this.#reserve().finally(() => (this.#reserving = undefined))
      await this.#reserving
    }
    return this.#next++
  }

  async #reserve(): Promise<void> {
    const { end } = await this.#database.one<{ end: string }>(sql`
      update referral.id_blocks set next_id = next_id + ${blockSize} where name = ${this.#name}
      returning next_id as "end"`)
    this.#end = Number(end)
    this.#next = this.#end - blockSize
  }
}
