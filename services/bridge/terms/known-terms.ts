import type { Database } from '../../../packages/sql/database.ts'
import type { CachedTerminology } from '../../../ports/terminology/cached-terminology.ts'
import { raiseTermsVersion } from '../store/terms-version.ts'

/**
 * What this copy remembers of the terminology, and which change it has heard of last. Somebody may have told another copy
 * what a code means: whatever was remembered before counts no more from the moment at which this one hears of it.
 */
export class KnownTerms {
  readonly #terminology: Pick<CachedTerminology, 'forget'>
  readonly #database: Database
  #version: string | undefined
  #state: string | undefined

  constructor(terminology: Pick<CachedTerminology, 'forget'>, database: Database) {
    this.#terminology = terminology
    this.#database = database
  }

  /** Somebody has said here what a code means. Resolves when every copy can hear of it. */
  async change(): Promise<void> {
    this.hear(await raiseTermsVersion(this.#database))
  }

  /** The version as some statement has read it; an older one is no news. */
  hear(version: string): void {
    if (this.#version !== undefined && BigInt(version) <= BigInt(this.#version)) return
    this.#version = version
    this.#terminology.forget()
  }

  /** A terminology in another process has learned something. */
  hearNotice(): void {
    this.#terminology.forget()
  }

  /** What the terminology itself says of its state: any other than before is news. */
  hearState(state: string): void {
    if (state === this.#state) return
    if (this.#state !== undefined) this.#terminology.forget()
    this.#state = state
  }
}
