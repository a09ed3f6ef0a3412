import { readFileSync } from 'node:fs'
import { registerHooks, type ModuleHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { countersName, withCounters } from './with-counters.ts'

/** More than the sources that are counted together have. */
const placesMax = 100_000

/**
 * What of some sources is reached, in this thread. A module that was read before is not counted: make it first, then import
 * what it shall count, in a worker of its own.
 */
export class Reach {
  readonly #often = new Uint32Array(placesMax)
  readonly #seen = new Uint8Array(placesMax)
  #places = 0
  #reached = 0
  readonly #hooks: ModuleHooks

  /** @param isCounted whether to count in the source of that path */
  constructor(isCounted: (path: string) => boolean) {
    Object.assign(globalThis, { [countersName]: this.#often })
    this.#hooks = registerHooks({
      load: (url, context, next) => {
        const path = url.startsWith('file:') ? fileURLToPath(url) : ''
        if (!path.endsWith('.ts') || !isCounted(path)) return next(url, context)
        const { source, places } = withCounters(path, readFileSync(path, 'utf8'), this.#places)
        this.#places += places
        if (this.#places > placesMax) throw new Error(`There are more than ${placesMax} places to count`)
        return { format: 'module-typescript', source, shortCircuit: true }
      },
    })
  }

  /** What was read goes on counting; what is read from now on does not. */
  [Symbol.dispose](): void {
    this.#hooks.deregister()
  }

  /** How many places the counted sources have that were read until now. */
  get places(): number {
    return this.#places
  }

  /** How many of them were reached until now. */
  get reached(): number {
    return this.#reached
  }

  /** Whether, since it was asked last, a place was reached that never was, or some times more often than ever. */
  takeNew(): boolean {
    let isNew = false
    for (let place = 0; place < this.#places; place++) {
      const often = this.#often[place] ?? 0
      if (often === 0) continue
      this.#often[place] = 0
      const seen = this.#seen[place] ?? 0
      const magnitude = magnitudeOf(often)
      if ((seen & magnitude) !== 0) continue
      if (seen === 0) this.#reached++
      this.#seen[place] = seen | magnitude
      isNew = true
    }
    return isNew
  }
}

/** Once, twice, a few times, often, very often: a bit each. A loop that runs for the 31st time is nothing new. */
function magnitudeOf(often: number): number {
  if (often <= 2) return often
  if (often <= 4) return 4
  if (often <= 16) return 8
  return often <= 64 ? 16 : 32
}
