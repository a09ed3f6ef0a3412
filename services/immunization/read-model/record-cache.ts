import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../packages/clock/clock.ts'

const freshMs = 60_000
const sessionsMax = 500

/**
 * What was read for a session serves it for a minute, and requests at the same moment share one reading. By session and
 * not by patient: what one user may see is never shown to another.
 */
export class RecordCache<Value> {
  readonly #clock: Clock
  readonly #known = new LRUCache<string, { readonly value: Promise<Value>; readonly untilMs: number }>({
    max: sessionsMax,
  })

  constructor({ clock }: { readonly clock: Clock }) {
    this.#clock = clock
  }

  get(sessionHash: string, load: () => Promise<Value>): Promise<Value> {
    const nowMs = this.#clock.monotonicMs()
    const known = this.#known.get(sessionHash)
    if (known !== undefined && nowMs < known.untilMs) return known.value
    const value = load()
    this.#known.set(sessionHash, { value, untilMs: nowMs + freshMs })
    value.catch(() => this.forget(sessionHash))
    return value
  }

  forget(sessionHash: string): void {
    this.#known.delete(sessionHash)
  }
}
