import { beforeAbort } from '../clock/before-abort.ts'
import type { Clock } from '../clock/clock.ts'
import { faultOf } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import type { IsRevoked } from './verifier.ts'

/** Every revocation that can still concern a living access token. */
export interface Revocations {
  readonly grants: readonly string[]
  readonly tokens: readonly string[]
}

interface RevocationListOptions {
  /** The issuer's list: from its database where it runs in this process, else by HTTP. */
  readonly load: () => Promise<Revocations>
  readonly clock: Clock
  readonly log: Log
  /** How old the list may be when a token is checked; what was revoked longer ago is refused for certain. */
  readonly maxAgeSeconds?: number
  readonly loadTimeoutMs?: number
}

/**
 * Whether a token has been revoked, by a list that is fetched when a token comes and the last one is too old: a service
 * at rest asks nobody, a busy one once in a few seconds. While the issuer cannot be reached the last list serves.
 */
export function revocationList(options: RevocationListOptions): IsRevoked {
  const list = new RevocationList(options)
  return (token) => list.includes(token)
}

class RevocationList {
  readonly #options: Required<RevocationListOptions>
  #grants: ReadonlySet<string> = new Set()
  #tokens: ReadonlySet<string> = new Set()
  #attemptedAtMs = -Infinity
  #loading: Promise<void> | undefined

  constructor(options: RevocationListOptions) {
    this.#options = { maxAgeSeconds: 5, loadTimeoutMs: 2_000, ...options }
  }

  async includes({ tokenId, grantId }: Parameters<IsRevoked>[0]): Promise<boolean> {
    const { clock, maxAgeSeconds } = this.#options
    if (clock.monotonicMs() - this.#attemptedAtMs >= maxAgeSeconds * 1_000) this.#loading ??= this.#load()
    await this.#loading
    return this.#tokens.has(tokenId) || (grantId !== undefined && this.#grants.has(grantId))
  }

  /** Never rejects. A list that began to load before a revocation does not count as newer than it. */
  async #load(): Promise<void> {
    const { load, clock, log, loadTimeoutMs } = this.#options
    using deadline = clock.deadline(loadTimeoutMs)
    const startedAtMs = clock.monotonicMs()
    try {
      const { grants, tokens } = await beforeAbort(load(), deadline.signal)
      this.#grants = new Set(grants)
      this.#tokens = new Set(tokens)
    } catch (error) {
      log.warn('the list of revoked tokens could not be fetched', {
        dependency: 'revocations',
        error: faultOf(error).message,
      })
    } finally {
      this.#attemptedAtMs = startedAtMs
      this.#loading = undefined
    }
  }
}
