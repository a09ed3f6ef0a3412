import { beforeAbort } from '../clock/before-abort.ts'
import type { Clock } from '../clock/clock.ts'
import { faultOf, unavailable } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import type { IsRevoked } from './verifier.ts'

/** Every revocation that can still concern a living access token. */
export interface Revocations {
  readonly grants: readonly string[]
  readonly tokens: readonly string[]
}

/** Says of what was revoked in this process: here it counts at once. */
export type TellRevoked = (revoked: Revocations) => void

interface RevocationListOptions {
  /** The issuer's list (`Revocations`): from its database where it runs in this process, else by HTTP. */
  readonly load: () => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
}

/** How old the list may be when a token is checked; what was revoked longer ago is refused for certain. */
const maxAgeSeconds = 5

const loadTimeoutMs = 2_000

/**
 * Whether a token has been revoked, by a list that is fetched when a token comes and the last one is too old: a service
 * at rest asks nobody, a busy one once in a few seconds. While the issuer cannot be reached the last list serves;
 * before there was one, nobody can say whether a token was revoked, and the fault is `unavailable`.
 */
export function revocationList(options: RevocationListOptions): {
  readonly isRevoked: IsRevoked
  readonly tellRevoked: TellRevoked
} {
  const list = new RevocationList(options)
  return { isRevoked: (token) => list.includes(token), tellRevoked: (revoked) => list.add(revoked) }
}

const toldAtRestMax = 100_000

class RevocationList {
  readonly #options: RevocationListOptions
  #revoked: { readonly [Name in keyof Revocations]: Set<string> } | undefined
  /** What was told of since the last list began to load: it may be missing there. */
  #told: { readonly [Name in keyof Revocations]: string[] } = { grants: [], tokens: [] }
  /** How much was told of while nobody had asked for the next list. */
  #toldAtRest = 0
  #attemptedAtMs = -Infinity
  #loading: Promise<void> | undefined

  constructor(options: RevocationListOptions) {
    this.#options = options
  }

  async includes({ tokenId, grantId }: Parameters<IsRevoked>[0]): Promise<boolean> {
    if (this.#isOld()) this.#loading ??= this.#load()
    await this.#loading
    if (this.#revoked === undefined) throw neverFetched()
    const { grants, tokens } = this.#revoked
    return tokens.has(tokenId) || (grantId !== undefined && grants.has(grantId))
  }

  /** Also to a list that is too old: it goes on to serve where the next one cannot be fetched. */
  add(revoked: Revocations): void {
    for (const kind of ['grants', 'tokens'] as const) {
      for (const id of revoked[kind]) this.#revoked?.[kind].add(id)
      if (this.#loading !== undefined) this.#told[kind].push(...revoked[kind])
      else if (this.#isOld()) this.#toldAtRest += revoked[kind].length
    }
    // Not without end for nobody. With a part of what was revoked forgotten, what is left would be no list (1312).
    if (this.#toldAtRest > toldAtRestMax) this.#revoked = undefined
  }

  #isOld(): boolean {
    return this.#options.clock.monotonicMs() - this.#attemptedAtMs >= maxAgeSeconds * 1_000
  }

  /** Never rejects. A list that began to load before a revocation does not count as newer than it. */
  async #load(): Promise<void> {
    const { load, clock, log } = this.#options
    using deadline = clock.deadline(loadTimeoutMs)
    const startedAtMs = clock.monotonicMs()
    this.#told = { grants: [], tokens: [] }
    try {
      const { grants, tokens } = readable(await beforeAbort(load(), deadline.signal))
      const told = this.#told
      this.#revoked = { grants: new Set([...grants, ...told.grants]), tokens: new Set([...tokens, ...told.tokens]) }
      this.#toldAtRest = 0
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

/** What something between us and the issuer answers in its place is no list, least of all an empty one. */
function readable(answer: unknown): Revocations {
  // Sound: whatever it is, it has these members or not.
  const { grants, tokens } = (answer ?? {}) as { readonly grants?: unknown; readonly tokens?: unknown }
  if (areTexts(grants) && areTexts(tokens)) return { grants, tokens }
  throw unavailable('The list of revoked tokens is not readable.')
}

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const neverFetched = () =>
  unavailable('Whether the access token was revoked cannot be found out at the moment. Try again in a moment.', {
    code: 'REVOCATIONS_UNAVAILABLE',
    retryAfterSeconds: maxAgeSeconds,
  })
