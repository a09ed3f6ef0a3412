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
  readonly #read = new WeakMap<ClientKey, KeyObject>()
  readonly #deps: { readonly fetchKeySet: FetchKeySet; readonly clock: Clock }

  constructor(deps: { readonly fetchKeySet: FetchKeySet; readonly clock: Clock }) {
    this.#deps = deps
  }

  /** Every key of this name; a client that has rotated its keys is asked again, though not more than every ten seconds. */
  async named(kid: string, client: Client): Promise<readonly ClientKey[]> {
    if (client.jwksUri === null) return withKid(kid, keysOf(client.jwks))
    const known = withKid(kid, await this.#keysAt(client.jwksUri, 'if stale'))
    return known.length > 0 ? known : withKid(kid, await this.#keysAt(client.jwksUri, 'again'))
  }

  /** Ready to verify with; read once, however many assertions it has signed. Throws for one that is no key. */
  usable(key: ClientKey): KeyObject {
    const known = this.#read.get(key) ?? createPublicKey({ key: { ...key }, format: 'jwk' })
    this.#read.set(key, known)
    return known
  }

  async #keysAt(uri: string, when: 'if stale' | 'again'): Promise<readonly ClientKey[]> {
    const { clock, fetchKeySet } = this.#deps
    const nowMs = clock.monotonicMs()
    const known = this.#fetched.get(uri)
    if (known !== undefined) {
      const mayServe = when === 'if stale' ? nowMs < known.staleAtMs : nowMs - known.atMs < coolDownMs
      if (mayServe) return known.keys
    }
    const { document, maxAgeSeconds } = await fetchKeySet(uri)
    const keys = keysOf(document)
    this.#fetched.set(uri, { keys, atMs: nowMs, staleAtMs: nowMs + maxAgeSeconds * 1_000 })
    return keys
  }
}

const coolDownMs = 10_000

function keysOf(document: unknown): readonly ClientKey[] {
  if (typeof document !== 'object' || document === null || !('keys' in document)) return []
  return Array.isArray(document.keys) ? document.keys.filter(isKey) : []
}

const isKey = (value: unknown): value is ClientKey => typeof value === 'object' && value !== null

const withKid = (kid: string, keys: readonly ClientKey[]) => keys.filter((key) => key['kid'] === kid)
