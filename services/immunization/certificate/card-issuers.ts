import type { Clock } from '../../../packages/clock/clock.ts'
import type { Database } from '../../../packages/sql/database.ts'
import { withoutSlash } from '../settings.ts'
import { addAddress, knownAddresses } from './store/addresses.ts'

interface CardIssuersOptions {
  /** The public address of today. */
  readonly url: string
  readonly database: Database
  readonly clock: Clock
}

/** Adds the address of today to those that the app has had. */
export async function openCardIssuers({ url, database, clock }: CardIssuersOptions): Promise<CardIssuers> {
  await addAddress(withoutSlash(url), clock.now(), database)
  const issuers = new CardIssuers(database)
  await issuers.reload()
  return issuers
}

/** Under which addresses cards of ours were made: a new address makes no false paper of one that names an old one. */
export class CardIssuers {
  readonly #database: Database
  #known: readonly string[] = []

  constructor(database: Database) {
    this.#database = database
  }

  all(): readonly string[] {
    return this.#known
  }

  /** Takes up those of copies that were started with another address. Call it every minute. */
  async reload(): Promise<void> {
    this.#known = await knownAddresses(this.#database)
  }
}
