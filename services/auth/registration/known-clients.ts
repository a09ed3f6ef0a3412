import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { findActiveClient, type Client } from '../store/clients.ts'
import { canBeClientId } from './client-rules.ts'

/**
 * Registered clients as the token endpoint sees them. A record is believed for two seconds, so a client that was disabled
 * or lost its secret gets nothing more after two seconds. Nobody is refused on a remembered record: who is not found in
 * it, or does not fit it, is looked up. Codes and refresh tokens are refused at once: their exchange looks at the row.
 */
export class KnownClients {
  readonly #known = new LRUCache<string, { readonly client: Client; readonly atMs: number }>({ max: 1_000 })
  readonly #looks = new Map<string, Promise<Client | undefined>>()
  readonly #deps: { readonly database: Database; readonly clock: Clock }

  constructor(deps: { readonly database: Database; readonly clock: Clock }) {
    this.#deps = deps
  }

  async find(clientId: string): Promise<Client | undefined> {
    // Nobody's, and no text that every database could be asked for.
    if (!canBeClientId(clientId)) return undefined
    const known = this.#known.get(clientId)
    const isFresh = known !== undefined && this.#deps.clock.monotonicMs() - known.atMs < believedMs
    return isFresh ? known.client : this.#lookOnce(clientId)
  }

  /** The client if it proves itself, as it is remembered or else as it is now. */
  async findProven(clientId: string, isProven: (client: Client) => boolean): Promise<Client | undefined> {
    const known = await this.find(clientId)
    if (known === undefined || isProven(known)) return known
    const client = await this.#look(clientId)
    return client !== undefined && isProven(client) ? client : undefined
  }

  /** Whoever asks while a look is under way is answered by it: a busy app's record would be read thirty times at once. */
  #lookOnce(clientId: string): Promise<Client | undefined> {
    const underWay = this.#looks.get(clientId)
    if (underWay !== undefined) return underWay
    const look = this.#look(clientId).finally(() => this.#looks.delete(clientId))
    this.#looks.set(clientId, look)
    return look
  }

  async #look(clientId: string): Promise<Client | undefined> {
    const { clock, database } = this.#deps
    const client = await findActiveClient(clientId, database)
    if (client === undefined) this.#known.delete(clientId)
    else this.#known.set(clientId, { client, atMs: clock.monotonicMs() })
    return client
  }
}

const believedMs = 2_000
