const blockSize = 50

/**
 * Hands out growing numbers. A copy takes a block of them at a time: a sequence would tie us to engines that have them,
 * and one row that every new record updates would make their makers wait for each other. What is left of a block when a
 * copy stops is never used. Ask before a transaction, not inside one.
 */
export class IdBlocks {
  readonly #reserve: (size: number) => Promise<number>
  #next = 0
  #end = 0
  #reserving: Promise<void> | undefined

  /** @param reserve moves the row's number on by the size and gives where it stands then */
  constructor(reserve: (size: number) => Promise<number>) {
    this.#reserve = reserve
  }

  async next(): Promise<number> {
    while (this.#next >= this.#end) {
      this.#reserving ??= this.#takeBlock().finally(() => (this.#reserving = undefined))
      await this.#reserving
    }
    return this.#next++
  }

  async #takeBlock(): Promise<void> {
    this.#end = await this.#reserve(blockSize)
    this.#next = this.#end - blockSize
  }
}
