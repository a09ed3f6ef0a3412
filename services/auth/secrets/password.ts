import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { tooMuch } from '../../../packages/faults/fault.ts'

export interface PasswordCost {
  readonly memoryKilobytes: number
  readonly passes: number
}

/** OWASP's smallest recommended argon2id: 19 MiB, two passes, one lane. */
export const passwordCost: PasswordCost = { memoryKilobytes: 19_456, passes: 2 }

/** What else OWASP recommends for one lane: each costs who guesses about as much. */
const asDear: readonly PasswordCost[] = [
  { memoryKilobytes: 47_104, passes: 1 },
  passwordCost,
  { memoryKilobytes: 12_288, passes: 3 },
  { memoryKilobytes: 9_216, passes: 4 },
  { memoryKilobytes: 7_168, passes: 5 },
]

const derive = promisify(argon2)

/** Hashes passwords, a few at a time: each takes megabytes and a core, so a flood of logins must not take the machine. */
export class PasswordHasher {
  readonly cost: PasswordCost
  readonly #waiting: (() => void)[] = []
  /** Of nobody, and of no password. */
  readonly #dummy: KnownHash
  #running = 0
  #computed = 0

  constructor(cost: PasswordCost = passwordCost) {
    this.cost = cost
    this.#dummy = { cost, salt: randomBytes(16), key: randomBytes(keyBytes) }
  }

  /** In the PHC form `$argon2id$v=19$m=…,t=…,p=1$salt$hash`. */
  hash(password: string): Promise<string> {
    return this.#inTurn(async () => {
      const salt = randomBytes(16)
      const { memoryKilobytes, passes } = this.cost
      const key = await this.#compute(password, salt, this.cost)
      return `$argon2id$v=19$m=${memoryKilobytes},t=${passes},p=1$${base64(salt)}$${base64(key)}`
    })
  }

  /** For an unknown user the same work is done, so that the time does not tell who has an account. */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const known = stored === undefined ? this.#dummy : readHash(stored)
    return this.#inTurn(async () => {
      if (known === undefined) return false
      const key = await this.#compute(password, known.salt, known.cost)
      return timingSafeEqual(key, known.key) && known !== this.#dummy
    })
  }

  /** How many were computed so far: that everybody costs the same is seen here. */
  get computed(): number {
    return this.#computed
  }

  #compute(password: string, salt: Buffer, cost: PasswordCost): Promise<Buffer> {
    this.#computed++
    return compute(password, salt, cost)
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= runningMax) {
      if (this.#waiting.length >= waitingMax) {
        throw tooMuch('Too many people are signing in at this moment. Try again in a moment.', { retryAfterSeconds: 5 })
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running++
    }
    try {
      return await work()
    } finally {
      // The place is handed on, never given up and fought for.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running--
      else next()
    }
  }
}

const runningMax = 2
const waitingMax = 64
const keyBytes = 32

/** Whether a text is a password hash that can be checked here. */
export const isPasswordHash = (text: string): boolean => readHash(text) !== undefined

/** Whether to guess at a hash costs less than it should, and less than at those that are made here. */
export function isCheapHash(text: string, ours: PasswordCost = passwordCost): boolean {
  const known = readHash(text)
  if (known === undefined) return false
  const { memoryKilobytes, passes } = known.cost
  return ![ours, ...asDear].some((cost) => memoryKilobytes >= cost.memoryKilobytes && passes >= cost.passes)
}

function compute(password: string, nonce: Buffer, { memoryKilobytes, passes }: PasswordCost): Promise<Buffer> {
  return derive('argon2id', {
    message: Buffer.from(password.normalize('NFKC')),
    nonce,
    parallelism: 1,
    tagLength: keyBytes,
    memory: memoryKilobytes,
    passes,
  })
}

/** RFC 9106 section 3.1 has no less for one lane, and a login must not take the memory of the machine. */
const memoryKilobytesMin = 8
const memoryKilobytesMax = 1_048_576

const phc = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=1\$([A-Za-z0-9+/]{22,64})\$([A-Za-z0-9+/]{43})$/

interface KnownHash {
  readonly cost: PasswordCost
  readonly salt: Buffer
  readonly key: Buffer
}

function readHash(text: string): KnownHash | undefined {
  const [, memory, passes, salt, key] = phc.exec(text) ?? []
  if (memory === undefined || passes === undefined || salt === undefined || key === undefined) return undefined
  const cost = { memoryKilobytes: Number(memory), passes: Number(passes) }
  if (cost.memoryKilobytes < memoryKilobytesMin || cost.memoryKilobytes > memoryKilobytesMax) return undefined
  if (cost.passes < 1) return undefined
  return {
    cost,
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
