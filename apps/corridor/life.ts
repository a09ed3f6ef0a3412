import type { Clock } from '../../packages/clock/clock.ts'
import type { Log } from '../../packages/log/log.ts'

interface Closer {
  readonly what: string
  readonly close: () => Promise<void>
}

/**
 * What has been started, and how it ends: first all listeners drain side by side, then the rest ends in reverse order,
 * each part even when one before it failed. A start that fails half-way ends the same way, so that nothing is left
 * behind.
 */
export class Life {
  readonly #listeners: Closer[] = []
  readonly #others: Closer[] = []
  #ending: Promise<void> | undefined
  #leftMs: (() => number) | undefined

  /** Something that takes work from outside; it must stop doing so before anything it needs is gone. */
  listening(what: string, close: () => Promise<void>): void {
    this.#listeners.push({ what, close })
  }

  started(what: string, close: () => Promise<void>): void {
    this.#others.push({ what, close })
  }

  /**
   * How long a part may take to end: as long as it wants, and no longer than the whole end has left. Parts end one after
   * the other, and what each of them wants is more than that together.
   */
  graceMs(wantedMs: number): number {
    return Math.min(wantedMs, this.#leftMs?.() ?? wantedMs)
  }

  /** Ends everything once; whoever asks again waits for the same end. */
  end(deps: { readonly log: Log; readonly clock: Clock }): Promise<void> {
    this.#ending ??= this.#end(deps)
    return this.#ending
  }

  async #end({ log, clock }: { log: Log; clock: Clock }): Promise<void> {
    const start = clock.monotonicMs()
    this.#leftMs = () => Math.max(0, start + wholeMs - clock.monotonicMs())
    await Promise.all(this.#listeners.map((listener) => closeOne(listener, log)))
    for (const other of this.#others.toReversed()) await closeOne(other, log)
    log.info('stopped', { durationMs: Math.round(clock.monotonicMs() - start) })
  }
}

/** A stop has ten seconds; the embedded database, which comes last, needs the last of them. */
const wholeMs = 9_000

async function closeOne({ what, close }: Closer, log: Log): Promise<void> {
  try {
    await close()
  } catch (error) {
    log.error('could not be closed', { dependency: what, error: error instanceof Error ? error.message : 'no error' })
  }
}
