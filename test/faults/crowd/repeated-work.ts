/** Does the same again and again until it is told to stop. What goes wrong is kept, and ends it. */
export class RepeatedWork {
  readonly name: string
  readonly faults: string[] = []
  done = 0
  readonly #once: () => Promise<void>
  #isStopping = false
  #running: Promise<void> | undefined

  constructor(name: string, once: () => Promise<void>) {
    this.name = name
    this.#once = once
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Sees what it is at through, and ends. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isStopping) {
        await this.#once()
        this.done++
      }
    } catch (thrown) {
      this.faults.push(`${this.name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    }
  }
}
