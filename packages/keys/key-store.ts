import type { Clock } from '../clock/clock.ts'
import { assert, conflict, missing, unavailable } from '../faults/fault.ts'
import type { Log } from '../log/log.ts'
import type { SigningKey } from '../tokens/signer.ts'
import { keysMax } from '../tokens/usable-keys.ts'
import { readKeys, removeKey, writeKey } from './key-files.ts'
import { keyStates, type KeyInState, type KeyState } from './key-states.ts'
import { makeKeyText, type PublicKey, type StoredKey } from './signing-key.ts'

/** The signing keys of an issuer, kept in a directory that several copies may share. */
export interface KeyStore {
  /** The key that signs at this moment. */
  current(): SigningKey
  /** The JWKS: every key that is next, current or retired. The same object until something changes. */
  publicKeys(): PublicKeys
  list(): readonly KeyDescription[]
  /**
   * Makes a new key. It is published at once and takes over after the overlap, when every verifier has fetched it; with
   * `immediately` it takes over now, for a key that has been stolen. Refused where verifiers would read the set no more.
   */
  rotate(options?: { readonly immediately?: boolean }): Promise<KeyDescription>
  /** Withdraws a key that is not the current one; what it has signed becomes invalid. */
  remove(kid: string): Promise<void>
  /** Takes up what other copies did in the directory; a fault leaves the known keys in use. Call it every minute or so. */
  reload(): Promise<void>
}

export interface PublicKeys {
  readonly keys: readonly PublicKey[]
}

export interface KeyDescription {
  readonly kid: string
  readonly state: KeyState
  readonly currentFrom: Date
  readonly retiresAt: Date | undefined
}

interface KeyStoreOptions {
  readonly directory: string
  readonly clock: Clock
  readonly log: Log
  /** How long a new key is published before it signs: longer than any verifier keeps the JWKS. */
  readonly overlapSeconds?: number
  /** How long a retired key stays published: as long as the longest-lived token, a refresh token of 90 days. */
  readonly retainSeconds?: number
  /** By what moment files of keys whose time is over are deleted for good; by the clock's unless given. */
  readonly deletesAt?: () => Promise<Date>
}

/** Opens the keys in the directory; the first start makes the first key. */
export async function openKeyStore(options: KeyStoreOptions): Promise<KeyStore> {
  const { directory, clock, log } = options
  let keys = await readKeys(directory)
  if (keys.length === 0) {
    // Copies that start together all try the number one; a single one of them gets it and all read that one.
    const won = await writeKey(directory, 1, await makeKeyText(clock.now()))
    keys = await readKeys(directory)
    if (won) log.info('a signing key was made', { kid: keys[0]?.kid ?? '' })
  }
  return new DirectoryKeyStore(keys, options)
}

class DirectoryKeyStore implements KeyStore {
  readonly #directory: string
  readonly #clock: Clock
  readonly #log: Log
  readonly #overlapSeconds: number
  readonly #retainSeconds: number
  readonly #deletesAt: () => Promise<Date>
  #keys: readonly StoredKey[]
  #published: PublicKeys = { keys: [] }
  #known:
    | { readonly of: readonly StoredKey[]; readonly states: readonly KeyInState[]; readonly untilMs: number }
    | undefined

  constructor(keys: readonly StoredKey[], options: KeyStoreOptions) {
    this.#keys = keys
    this.#directory = options.directory
    this.#clock = options.clock
    this.#log = options.log
    this.#overlapSeconds = options.overlapSeconds ?? 3_600
    this.#retainSeconds = options.retainSeconds ?? 90 * 86_400
    this.#deletesAt = options.deletesAt ?? (async () => options.clock.now())
  }

  current(): SigningKey {
    const current = this.#states().find(({ state }) => state === 'current')
    assert(current !== undefined, 'a key store always has a current key')
    return current.key
  }

  publicKeys(): PublicKeys {
    const keys = this.#states().map(({ key }) => key.publicKey)
    const published = this.#published.keys
    const changed = keys.length !== published.length || keys.some((key, at) => key.kid !== published[at]?.kid)
    if (changed) this.#published = { keys }
    return this.#published
  }

  list(): readonly KeyDescription[] {
    return this.#states().map(describe)
  }

  async rotate({ immediately = false } = {}): Promise<KeyDescription> {
    await this.reload()
    const next = this.#states().find(({ state }) => state === 'next')
    if (next !== undefined && !immediately) throw alreadyRotating(next)
    if (this.#states().length >= keysMax) throw tooManyPublished(this.#states())

    const currentFrom = new Date(this.#clock.now().getTime() + (immediately ? 0 : this.#overlapSeconds * 1000))
    const number = Math.max(...this.#keys.map((key) => key.number)) + 1
    const won = await writeKey(this.#directory, number, await makeKeyText(currentFrom))
    await this.reload()
    const made = this.#states().find(({ key }) => key.number === number)
    assert(made !== undefined, 'a key that was written is there')
    if (!won) throw alreadyRotating(made)
    this.#log.info('a signing key was made', { kid: made.key.kid, state: made.state })
    return describe(made)
  }

  async remove(kid: string): Promise<void> {
    await this.reload()
    const found = this.#states().find(({ key }) => key.kid === kid)
    if (found === undefined) throw missing('There is no signing key with this kid. `corridor keys list` shows all.')
    if (found.state === 'current') {
      throw conflict(
        'The current signing key cannot be removed. First `corridor keys rotate --immediately`, then remove it.',
      )
    }
    await removeKey(this.#directory, found.key.number)
    await this.reload()
    this.#log.warn('a signing key was removed', { kid, state: found.state })
  }

  async reload(): Promise<void> {
    const keys = await readKeys(this.#directory)
    // An emptied directory (a lost mount) must not take the key out of a running issuer's hands.
    if (keys.length === 0) throw directoryEmpty(this.#directory)
    this.#keys = keys
    await this.#removeExpired()
  }

  async #removeExpired(): Promise<void> {
    if (this.#states().length === this.#keys.length) return
    const atThatTime = keyStates(this.#keys, this.#retainSeconds, await this.#deletesAt())
    const alive = new Set(atThatTime.map(({ key }) => key))
    for (const key of this.#keys.filter((known) => !alive.has(known))) {
      await removeKey(this.#directory, key.number)
      this.#log.info('a retired signing key was removed', { kid: key.kid })
    }
    this.#keys = this.#keys.filter((key) => alive.has(key))
  }

  /** Every token asks; the answer changes when a key is added or removed, takes over or has had its time. */
  #states(): readonly KeyInState[] {
    const now = this.#clock.now()
    if (this.#known?.of === this.#keys && now.getTime() < this.#known.untilMs) return this.#known.states
    const states = keyStates(this.#keys, this.#retainSeconds, now)
    const changes = states.flatMap(({ key, retiresAt }) => [
      key.currentFrom.getTime(),
      retiresAt?.getTime() ?? Infinity,
    ])
    const untilMs = Math.min(...changes.filter((ms) => ms > now.getTime()))
    this.#known = { of: this.#keys, states, untilMs }
    return states
  }
}

const describe = ({ key, state, retiresAt }: KeyInState): KeyDescription => ({
  kid: key.kid,
  state,
  currentFrom: key.currentFrom,
  retiresAt,
})

const directoryEmpty = (directory: string) =>
  unavailable(
    `The key directory ${directory} has no signing key any more; the known keys stay in use until the next start. ` +
      'Mount it again, or restore it from your backup.',
    { code: 'KEY_DIRECTORY_EMPTY' },
  )

const alreadyRotating = ({ key }: KeyInState) =>
  conflict(`A new signing key is already published; it takes over at ${key.currentFrom.toISOString()}.`, {
    code: 'ROTATION_UNDER_WAY',
  })

/** One more, and no verifier would read any: everybody's tokens would be refused. */
function tooManyPublished(published: readonly KeyInState[]) {
  const [oldest] = published
  const until = oldest?.retiresAt === undefined ? '' : `, or wait until ${oldest.retiresAt.toISOString()}`
  return conflict(
    `${published.length} signing keys are published, and verifiers read no more. Remove the oldest with \`corridor keys remove ${oldest?.key.kid}\`, which ends the refresh tokens that it has signed${until}.`,
    { code: 'TOO_MANY_KEYS' },
  )
}
