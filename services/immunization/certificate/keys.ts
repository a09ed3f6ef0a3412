import type { Clock } from '../../../packages/clock/clock.ts'
import { assert, conflict, faultOf, missing } from '../../../packages/faults/fault.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { HealthPart } from '../../../packages/http/health.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { isOpen, openPrivateKey, storedPrivateKey } from './keys/private-key.ts'
import type { PublicSigningKey } from './keys/public-signing-key.ts'
import { makeSigningKey, readSigningKey, type CertificateKey } from './keys/signing-key.ts'
import {
  addSigningKey,
  erasePrivateKeysBefore,
  nextKeyNumber,
  replacePrivateKey,
  signingKeys,
  withdrawSigningKey,
  type SigningKeyRow,
} from './store/signing-keys.ts'

export type { CertificateKey } from './keys/signing-key.ts'

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
  /** How long a key signs before the next one is made. */
  readonly signsDays?: number
}

/** `next` is published and does not sign yet; what a `retired` one has signed stays good. */
export interface CertificateKeyDescription {
  readonly kid: string
  readonly state: 'next' | 'current' | 'retired'
  readonly currentFrom: Date
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
  /** The key that was complained of: once is enough. */
  #complainedOf: string | undefined

  constructor(options: CertificateKeysOptions) {
    this.#options = options
  }

  /** The key that signs at this moment; it follows from the clock, so all copies change over together. */
  current(): Promise<CertificateKey> {
    const row = this.#currentRow()
    let key = this.#opened.get(row.kid)
    if (key === undefined) this.#opened.set(row.kid, (key = this.#open(row)))
    return key
  }

  async #open(row: SigningKeyRow): Promise<CertificateKey> {
    try {
      return await readSigningKey(row, this.#options.secret)
    } catch (thrown) {
      this.#opened.delete(row.kid)
      throw thrown
    }
  }

  /** Whether certificates can be signed. */
  readonly health: HealthPart = async () => {
    const wrong = await this.#wrong()
    return wrong === undefined ? { status: 'UP' } : { status: 'DOWN', details: { error: wrong } }
  }

  /** Opens the key that signs before a patient needs it, and says in the log when it does not open. */
  async check(): Promise<void> {
    const wrong = await this.#wrong()
    const { kid } = this.#currentRow()
    if (wrong !== undefined && this.#complainedOf !== kid) {
      this.#options.log.error('the key of certificates cannot be opened', { kid, error: wrong })
    }
    this.#complainedOf = wrong === undefined ? undefined : kid
  }

  #wrong(): Promise<string | undefined> {
    return this.current().then(
      () => undefined,
      (thrown: unknown) => faultOf(thrown).shown,
    )
  }

  list(): readonly CertificateKeyDescription[] {
    const current = this.#currentRow().number
    return this.#rows.map(({ kid, number, currentFrom }) => ({
      ...{ kid, currentFrom },
      state: number === current ? 'current' : number > current ? 'next' : 'retired',
    }))
  }

  /** The JWKS: every key that has ever signed, or will next, unless it was withdrawn. */
  publicKeys(): { readonly keys: readonly PublicSigningKey[] } {
    return { keys: this.#rows.map(({ publicKey }) => publicKey) }
  }

  /** Publishes the next key once the current one has signed for long enough. Copies that find so together make one. */
  async rotateByAge(): Promise<void> {
    const { clock, signsDays = 365 } = this.#options
    const { number, currentFrom } = this.#currentRow()
    const isOld = clock.now().getTime() - currentFrom.getTime() >= signsDays * 86_400_000
    if (!isOld || this.#rows.some((row) => row.number > number)) return
    await this.rotate().catch((thrown: unknown) => {
      if (faultOf(thrown).code !== rotationUnderWay) throw thrown
    })
  }

  /** Seals what was kept as it is before there was a secret. */
  async sealOpenKeys(): Promise<void> {
    const { database, log, secret } = this.#options
    if (secret === undefined) return
    for (const { kid, privateKey } of this.#rows) {
      if (privateKey === null || !isOpen(privateKey)) continue
      const sealed = storedPrivateKey(openPrivateKey(privateKey, undefined), secret)
      if (await replacePrivateKey({ kid, old: privateKey, new: sealed }, database)) {
        log.info('a signing key was sealed', { kid })
      }
    }
    await this.reload()
  }

  /** Publishes a new key now; it signs after the overlap, or at once in place of a stolen one. */
  async rotate({ immediately = false } = {}): Promise<string> {
    const { database, clock, log, issuerCode, secret, overlapSeconds = 86_400 } = this.#options
    // The number before the look at what is there: whoever is first with it in between wins.
    const number = await nextKeyNumber(database)
    await this.reload()
    if (secret === undefined && this.#rows.some(isSealed)) throw secretMissing()
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
      throw conflict(
        'The current signing key cannot be withdrawn. First `corridor certificate-keys rotate --immediately`, then withdraw it.',
      )
    }
    if (!(await withdrawSigningKey(kid, clock.now(), database)))
      throw missing('There is no signing key with this kid. `corridor certificate-keys list` shows all.')
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

const isSealed = ({ privateKey }: SigningKeyRow): boolean => privateKey !== null && !isOpen(privateKey)

/** A command where the secret is not set, or a copy that was started without it, must not undo what the others seal. */
const secretMissing = () =>
  conflict(
    'The keys that sign certificates are sealed, and a new one would lie open in the database, because ' +
      'immunization.certificateKeySecret is not set here. Set it, or immunization.certificateKeySecretFile, as the ' +
      'immunization app has it.',
    { code: 'CERTIFICATE_KEY_SECRET_MISSING' },
  )

const rotationUnderWay = 'ROTATION_UNDER_WAY'

const alreadyRotating = () =>
  conflict('A new signing key is already published and takes over soon.', { code: rotationUnderWay })
