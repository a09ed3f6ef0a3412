import type { FirstAnswer } from '../pipeline/7-ack.ts'

/** The message of a key that this copy works on. */
export interface Holder {
  readonly transactionId: string
  /**
   * What the first message of the key says: this one, or one that was here before it. Known when that is durable, and
   * rejected when it could not be made so.
   */
  readonly firstContent: Promise<Buffer>
}

/** The messages that this copy works on, and what their duplicates wait for. */
export class UnderWay {
  readonly #ends = new Map<string, Promise<FirstAnswer>>()
  readonly #new = new Set<string>()
  readonly #byKey = new Map<string, Holder>()
  readonly #max: number
  #onRoom: (() => void)[] = []

  /** @param max how many messages may be under way before the next one waits */
  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#ends.size
  }

  get transactionIds(): readonly string[] {
    return [...this.#ends.keys()]
  }

  /** Who has this key at the moment. */
  holderOf(key: Buffer): Holder | undefined {
    return this.#byKey.get(key.toString('hex'))
  }

  endOf(transactionId: string): Promise<FirstAnswer> | undefined {
    return this.#ends.get(transactionId)
  }

  /** It has just come in, and nothing of it is in the log. */
  isNew(transactionId: string): boolean {
    return this.#new.has(transactionId)
  }

  /**
   * Counts the message in until its end, good or bad.
   * @param seen of one that has just come in; what comes from the retry queue is found by the database
   */
  begin(
    transactionId: string,
    seen: ({ readonly key: Buffer } & Pick<Holder, 'firstContent'>) | undefined,
    end: Promise<FirstAnswer>,
  ): void {
    const key = seen?.key.toString('hex')
    this.#ends.set(transactionId, end)
    if (seen !== undefined && key !== undefined) {
      this.#new.add(transactionId)
      this.#byKey.set(key, { transactionId, firstContent: seen.firstContent })
    }
    const leave = () => {
      this.#ends.delete(transactionId)
      this.#new.delete(transactionId)
      if (key !== undefined) this.#byKey.delete(key)
      for (const go of this.#onRoom.splice(0)) go()
    }
    end.then(leave, leave)
  }

  /** Resolves when another message may begin. */
  async room(): Promise<void> {
    while (this.#ends.size >= this.#max) await this.#change()
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    while (this.#ends.size > 0) await this.#change()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#onRoom.push(resolve))
  }
}
