import type { Queryable } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'

const blockSize = 50

/**
 * Hands out record ids. Each copy takes a block of them at a time, so that numbers stay small without a sequence and
 * makers of records do not wait for each other. What is left of a block when a copy stops is never used.
 */
export class RecordIds {
  readonly #database: Queryable
  #next = 0
  #end = 0
  #reserving: Promise<void> | undefined

  constructor(database: Queryable) {
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
      update consent.id_blocks set next_id = next_id + ${blockSize} where name = 'records' returning next_id as "end"`)
    this.#end = Number(end)
    this.#next = this.#end - blockSize
  }
}
