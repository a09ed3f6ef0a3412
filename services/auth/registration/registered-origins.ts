import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'

interface OriginDeps {
  readonly clock: Clock
  /** Whether some registered client lives there. */
  readonly ask: (origin: string) => Promise<boolean>
}

/**
 * Whether pages of an origin may call: some registered client lives there. Remembered for ten seconds; while nobody can be
 * asked the last answer serves, and who was never asked about may not.
 */
export class RegisteredOrigins {
  readonly #known = new LRUCache<string, { readonly answer: Promise<boolean>; readonly atMs: number }>({ max: 1_000 })
  readonly #deps: OriginDeps

  constructor(deps: OriginDeps) {
    this.#deps = deps
  }

  /** Whoever asks while a question is under way is answered by it: a page calls several times at once. */
  includes(origin: string): Promise<boolean> {
    const nowMs = this.#deps.clock.monotonicMs()
    const known = this.#known.get(origin)
    if (known !== undefined && nowMs - known.atMs < rememberedMs) return known.answer
    const answer = this.#ask(origin, known?.answer)
    this.#known.set(origin, { answer, atMs: nowMs })
    return answer
  }

  async #ask(origin: string, before: Promise<boolean> | undefined): Promise<boolean> {
    try {
      return await this.#deps.ask(origin)
    } catch (thrown) {
      if (faultOf(thrown).kind === 'unavailable') return (await before) ?? false
      this.#known.delete(origin)
      throw thrown
    }
  }
}

const rememberedMs = 10_000
