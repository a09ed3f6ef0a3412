import { createPublicKey, type KeyObject } from 'node:crypto'
import type { Clock } from '../../../packages/clock/clock.ts'
import type { Client } from '../store/clients.ts'
import { LRUCache } from 'lru-cache'
import type { FetchKeySet } from './fetch-key-set.ts'

/** A client's public key as it was registered or published; whether it is a good one is seen when it is used. */
export type ClientKey = Readonly<Record<string, unknown>>

interface Fetched {
  readonly keys: readonly ClientKey[]
  readonly atMs: number
  readonly staleAtMs: number
}

/** The public keys of clients: registered with them, or fetched from where they publish them. */
export class ClientKeys {
  readonly #fetched = new LRUCache<string, Fetched>({ max: 1_000 })
  readonly #failed = new LRUCache<string, { readonly thrown: unknown; readonly atMs: number }>({ max: 1_000 })
  readonly #fetches = new Map<string, Promise<readonly ClientKey[]>>()
  readonly #read = new WeakMap<ClientKey, KeyObject>()
  readonly #deps: { readonly fetchKeySet: FetchKeySet; readonly clock: Clock }

  constructor(deps: { readonly fetchKeySet: FetchKeySet; readonly clock: Clock }) {
    this.#deps = deps
  }

  /** Every key of this name; a client that has rotated its keys is asked again, though not more than every ten seconds. */
  async named(kid: string, client: Client): Promise<readonly ClientKey[]> {
    if (client.jwksUri === null) return withKid(kid, keysOf(client.jwks))
    const { jwksUri, clientId } = client
    const known = withKid(kid, await this.#keysAt(jwksUri, clientId, 'if stale'))
    return known.length > 0 ? known : withKid(kid, await this.#keysAt(jwksUri, clientId, 'again'))
  }

  /** Ready to verify with; read once, however many assertions it has signed. Throws for one that is no key. */
  usable(key: ClientKey): KeyObject {
    const known = this.#read.get(key) ?? createPublicKey({ key: { ...key }, format: 'jwk' })
    this.#read.set(key, known)
    return known
  }

  async #keysAt(uri: string, clientId: string, when: 'if stale' | 'again'): Promise<readonly ClientKey[]> {
    const nowMs = this.#deps.clock.monotonicMs()
    const known = this.#fetched.get(uri)
    if (known !== undefined) {
      const mayServe = when === 'if stale' ? nowMs < known.staleAtMs : nowMs - known.atMs < coolDownMs
      if (mayServe) return known.keys
    }
    const failure = this.#failed.get(uri)
    if (failure !== undefined && nowMs - failure.atMs < coolDownMs) throw failure.thrown
    return this.#fetchOnce(uri, clientId)
  }

  /** Whoever asks while a fetch is under way is answered by it: a new key is used by many at the same moment. */
  #fetchOnce(uri: string, clientId: string): Promise<readonly ClientKey[]> {
    const underWay = this.#fetches.get(uri)
    if (underWay !== undefined) return underWay
    const fetching = this.#fetch(uri, clientId).finally(() => this.#fetches.delete(uri))
    this.#fetches.set(uri, fetching)
    return fetching
  }

  async #fetch(uri: string, clientId: string): Promise<readonly ClientKey[]> {
    const { clock, fetchKeySet } = this.#deps
    const atMs = clock.monotonicMs()
    try {
      const { document, maxAgeSeconds } = await fetchKeySet(uri, clientId)
      const keys = keysOf(document)
      this.#fetched.set(uri, { keys, atMs, staleAtMs: atMs + maxAgeSeconds * 1_000 })
      return keys
    } catch (thrown) {
      // Beside the keys, which go on serving: somebody who names a key that nobody has must not take them away.
      this.#failed.set(uri, { thrown, atMs: clock.monotonicMs() })
      throw thrown
    }
  }
}

const coolDownMs = 10_000

function keysOf(document: unknown): readonly ClientKey[] {
  if (typeof document !== 'object' || document === null || !('keys' in document)) return []
  return Array.isArray(document.keys) ? document.keys.filter(isKey) : []
}

const isKey = (value: unknown): value is ClientKey => typeof value === 'object' && value !== null

const withKid = (kid: string, keys: readonly ClientKey[]) => keys.filter((key) => key['kid'] === kid)
