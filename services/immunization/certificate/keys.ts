import type { Clock } from '../../../packages/clock/clock.ts'
import { assert, conflict, missing } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { makeSigningKey, readSigningKey, type CertificateKey, type PublicSigningKey } from './keys/signing-key.ts'
import {
  addSigningKey,
  erasePrivateKeysBefore,
  nextKeyNumber,
  signingKeys,
  withdrawSigningKey,
  type SigningKeyRow,
} from './store/signing-keys.ts'

export type { CertificateKey, PublicSigningKey } from './keys/signing-key.ts'

export interface CertificateKeysOptions {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** The name inside the signer's X.509 certificate. */
  readonly issuerCode: string
  /** Seals the private keys in the table; without one they lie there as they are. */
  readonly secret?: string | undefined
  /** How long a new key is published before it signs: longer than any reader keeps the key set. */
  readonly overlapSeconds?: number
}

/** Opens the keys; the first start makes the first one. Copies that start together end with the same. */
export async function openCertificateKeys(options: CertificateKeysOptions): Promise<CertificateKeys> {
  const { database, clock, log, issuerCode, secret } = options
  if ((await signingKeys(database)).length === 0) {
    // All of them try the number one; a single one gets it, and all read that one.
    const first = await makeSigningKey({ number: 1, issuerCode, currentFrom: clock.now(), secret })
    if (await addSigningKey(first, database)) log.info('a signing key was made', { kid: first.kid })
  }
  const keys = new CertificateKeys(options)
  await keys.reload()
  return keys
}

/** The keys that sign health cards, shared by all copies through the database. */
export class CertificateKeys {
  readonly #options: CertificateKeysOptions
  readonly #opened = new Map<string, Promise<CertificateKey>>()
  #rows: readonly SigningKeyRow[] = []

  constructor(options: CertificateKeysOptions) {
    this.#options = options
  }

  /** The key that signs at this moment; it follows from the clock, so all copies change over together. */
  current(): Promise<CertificateKey> {
    const row = this.#currentRow()
    let key = this.#opened.get(row.kid)
    if (key === undefined) this.#opened.set(row.kid, (key = readSigningKey(row, this.#options.secret)))
    return key
  }

  /** The JWKS: every key that has ever signed, or will next, unless it was withdrawn. */
  publicKeys(): { readonly keys: readonly PublicSigningKey[] } {
    return { keys: this.#rows.map(({ publicKey }) => publicKey) }
  }

  /** Publishes a new key now; it signs after the overlap, or at once in place of a stolen one. */
  async rotate({ immediately = false } = {}): Promise<string> {
    const { database, clock, log, issuerCode, secret, overlapSeconds = 86_400 } = this.#options
    // The number before the look at what is there: whoever is first with it in between wins.
    const number = await nextKeyNumber(database)
    await this.reload()
    const now = clock.now()
    const next = this.#rows.find((row) => row.currentFrom > now)
    if (next !== undefined && !immediately) throw alreadyRotating()
    const currentFrom = new Date(now.getTime() + (immediately ? 0 : overlapSeconds * 1_000))
    const made = await makeSigningKey({ number, issuerCode, currentFrom, secret })
    if (!(await addSigningKey(made, database))) throw alreadyRotating()
    log.info('a signing key was made', { kid: made.kid })
    await this.reload()
    return made.kid
  }

  /** For a stolen key, after `rotate({ immediately: true })`: every card that it signed becomes invalid. */
  async withdraw(kid: string): Promise<void> {
    const { database, clock, log } = this.#options
    await this.reload()
    if (this.#currentRow().kid === kid) {
      throw conflict('The current signing key cannot be withdrawn. Rotate immediately, then withdraw it.')
    }
    if (!(await withdrawSigningKey(kid, clock.now(), database))) throw missing('There is no signing key with this kid.')
    log.warn('a signing key was removed', { kid })
    await this.reload()
  }

  /** Takes up what other copies did, and erases private keys that no copy can need any more. Call it every minute. */
  async reload(): Promise<void> {
    const { database, clock } = this.#options
    const rows = await signingKeys(database)
    assert(rows.length > 0, 'there is always a signing key')
    this.#rows = rows
    const current = this.#currentRow()
    const isSettled = clock.now().getTime() - current.currentFrom.getTime() > settledMs
    const hasOld = rows.some(({ number, privateKey }) => number < current.number && privateKey !== null)
    if (isSettled && hasOld) await erasePrivateKeysBefore(current.number, database)
  }

  #currentRow(): SigningKeyRow {
    const now = this.#options.clock.now()
    const row = this.#rows.findLast(({ currentFrom }) => currentFrom <= now) ?? this.#rows[0]
    assert(row !== undefined, 'there is always a signing key')
    return row
  }
}

/** Copies whose clocks differ a little may still sign with the old key for this long. */
const settledMs = 3_600_000

const alreadyRotating = () =>
  conflict('A new signing key is already published and takes over soon.', { code: 'ROTATION_UNDER_WAY' })
