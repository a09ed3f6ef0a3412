import type { KeyObject } from 'node:crypto'
import { beforeAbort } from '../clock/before-abort.ts'
import type { Clock } from '../clock/clock.ts'
import { faultOf, unavailable } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import type { KeySet } from './key-set.ts'
import { usableKeys, type Keys } from './usable-keys.ts'

/** Fetches one JSON document within its own deadline and size limit; the outbound client of `packages/http` is one. */
export type FetchJson = (url: string) => Promise<unknown>

interface RemoteKeySetOptions {
  /** The issuer's `jwks_uri`. */
  readonly url: string
  readonly fetchJson: FetchJson
  readonly clock: Clock
  readonly log: Log
}

/** How old the set may grow before it is fetched again; a key that the issuer removed is refused after that time. */
const maxAgeSeconds = 300

/**
 * The least time between two fetches for unknown kids, so that made-up ones cannot make us hammer the issuer, and
 * between two tries to reach one that is down.
 */
const coolDownSeconds = 10

/** How long the last good set serves while the issuer cannot be reached. */
const staleSecondsMax = 86_400

const fetchTimeoutMs = 5_000

/** The keys of an issuer elsewhere, by the address of its JWKS. */
export function remoteKeySet(options: RemoteKeySetOptions): KeySet {
  return new RemoteKeySet(options)
}

class RemoteKeySet implements KeySet {
  readonly #options: RemoteKeySetOptions
  #keys: Keys = new Map()
  #text = ''
  #version = 0
  #fetchedAtMs = -Infinity
  #failedAtMs = -Infinity
  #searchedAtMs = -Infinity
  #lastAttemptFailed = false
  #fetching: Promise<void> | undefined
  #searching: Promise<void> | undefined

  constructor(options: RemoteKeySetOptions) {
    this.#options = options
  }

  get version(): number {
    return this.#version
  }

  async find(kid: string): Promise<KeyObject | undefined> {
    if (this.#ageSeconds() >= maxAgeSeconds) {
      const fetched = this.#refetch()
      // While the issuer is down nobody waits for it but the first: a known key serves and the set is tried again
      // behind the caller's back.
      if (!this.#has(kid) || !this.#lastAttemptFailed) await fetched
    }
    if (!this.#has(kid)) await this.#search()
    // An unknown key may be a new one that we could not learn of, so during an outage it is not the token's fault.
    if (!this.#has(kid) && this.#lastAttemptFailed) {
      throw unavailable('The keys of the authorization server cannot be fetched at the moment. Try again later.', {
        code: 'KEYS_UNAVAILABLE',
        retryAfterSeconds: coolDownSeconds,
      })
    }
    return this.#has(kid) ? this.#keys.get(kid) : undefined
  }

  #has(kid: string): boolean {
    return this.#keys.has(kid) && this.#ageSeconds() < staleSecondsMax
  }

  #ageSeconds(): number {
    return (this.#options.clock.monotonicMs() - this.#fetchedAtMs) / 1000
  }

  /**
   * Fetches for a kid that the set does not hold. That the set was fetched a moment ago because of its age is no reason
   * to refuse what a key has signed that took over since.
   */
  async #search(): Promise<void> {
    if (!this.#isCoolingDown(this.#searchedAtMs)) {
      this.#searchedAtMs = this.#options.clock.monotonicMs()
      this.#searching = this.#refetch()
    }
    await this.#searching
  }

  /** One fetch at a time, and none within the cool-down of one that failed. Never rejects. */
  async #refetch(): Promise<void> {
    if (this.#isCoolingDown(this.#failedAtMs)) return
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined
    })
    await this.#fetching
  }

  #isCoolingDown(sinceMs: number): boolean {
    return this.#options.clock.monotonicMs() - sinceMs < coolDownSeconds * 1000
  }

  async #fetch(): Promise<void> {
    const { url, fetchJson, clock, log } = this.#options
    using deadline = clock.deadline(fetchTimeoutMs)
    try {
      const document = await beforeAbort(fetchJson(url), deadline.signal)
      this.#keys = usableKeys(document)
      const text = JSON.stringify(document)
      if (text !== this.#text) this.#version++
      this.#text = text
      this.#fetchedAtMs = clock.monotonicMs()
      this.#lastAttemptFailed = false
    } catch (error) {
      this.#lastAttemptFailed = true
      this.#failedAtMs = clock.monotonicMs()
      log.warn('the key set could not be fetched', { dependency: 'jwks', error: faultOf(error).message })
    }
  }
}
