import type { Clock } from '../clock/clock.ts'
import { every, type Recurring } from '../clock/every.ts'
import { faultOf } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'

interface RenewedOptions<Loaded> {
  /** False where no file is named, so that there is nothing to look at. */
  readonly hasFiles?: boolean
  /** The setting by which the log names it: `auth.tls.certificateFile`. */
  readonly setting: string
  /** Reads the files; throws what is wrong with them. */
  readonly load: () => Promise<Loaded>
}

interface RenewedDeps {
  readonly clock: Clock
  readonly log: Log
}

export const renewalLookMs = 10_000

/**
 * What certificates and keys are now: whoever renews them puts the new ones into the places of the old, and nothing has to
 * be started again. What cannot be used is told and not taken; the old ones go on.
 */
export class Renewed<Loaded extends object> {
  readonly #options: RenewedOptions<Loaded>
  readonly #log: Log
  readonly #taking: ((loaded: Loaded) => void)[] = []
  readonly #looking: Recurring | undefined
  #current: Loaded
  #fault = { text: '', isTold: false }

  /** Fails where the files cannot be used: a start has nothing older to go on with. */
  static async open<Loaded extends object>(
    options: RenewedOptions<Loaded>,
    deps: RenewedDeps,
  ): Promise<Renewed<Loaded>> {
    return new Renewed(options, await options.load(), deps)
  }

  private constructor(options: RenewedOptions<Loaded>, loaded: Loaded, deps: RenewedDeps) {
    this.#options = options
    this.#current = loaded
    this.#log = deps.log
    const looking = { work: () => this.#look(), failed: 'certificate not renewed' }
    this.#looking = options.hasFiles === false ? undefined : every(renewalLookMs, looking, deps)
  }

  get current(): Loaded {
    return this.#current
  }

  /** For whoever has to be told; others look at `current` each time. */
  onRenewed(take: (loaded: Loaded) => void): void {
    this.#taking.push(take)
  }

  async end(): Promise<void> {
    await this.#looking?.end()
  }

  async #look(): Promise<void> {
    const { load, setting } = this.#options
    let loaded: Loaded
    try {
      loaded = await load()
    } catch (thrown) {
      this.#tell(faultOf(thrown).message)
      return
    }
    this.#fault = { text: '', isTold: false }
    if (JSON.stringify(loaded) === JSON.stringify(this.#current)) return
    this.#current = loaded
    for (const take of this.#taking) take(loaded)
    this.#log.info('certificate renewed', { state: setting })
  }

  /** Once, and not at the first look: between a new certificate and its key there is a moment. */
  #tell(text: string): void {
    const isStill = text === this.#fault.text
    if (isStill && !this.#fault.isTold) {
      this.#log.warn('certificate not renewed', { state: this.#options.setting, error: text })
    }
    this.#fault = { text, isTold: isStill }
  }
}
