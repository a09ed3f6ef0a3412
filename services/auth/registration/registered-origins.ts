import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { isRegisteredOrigin } from '../store/clients.ts'

/** Whether pages of an origin may call: some registered client lives there. Remembered for ten seconds. */
export class RegisteredOrigins {
  readonly #known = new LRUCache<string, { readonly isRegistered: boolean; readonly atMs: number }>({ max: 1_000 })
  readonly #deps: { readonly database: Database; readonly clock: Clock }

  constructor(deps: { readonly database: Database; readonly clock: Clock }) {
    this.#deps = deps
  }

  async includes(origin: string): Promise<boolean> {
    const { clock, database } = this.#deps
    const known = this.#known.get(origin)
    if (known !== undefined && clock.monotonicMs() - known.atMs < rememberedMs) return known.isRegistered
    const isRegistered = await isRegisteredOrigin(origin, database)
    this.#known.set(origin, { isRegistered, atMs: clock.monotonicMs() })
    return isRegistered
  }
}

const rememberedMs = 10_000
