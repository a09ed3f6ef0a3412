import type { Clock } from '../../../packages/clock/clock.ts'
import type { Ids } from '../../../packages/clock/ids.ts'
import type { Definitions } from '../../../packages/fhir/definitions.ts'
import type { Validate } from '../../../packages/fhir/validate/validator.ts'
import type { Log } from '../../../packages/log/log.ts'
import type { Database } from '../../../packages/sql/queryable.ts'
import type { SearchEngine } from '../search/engine.ts'
import type { IndexOf } from '../store/index-rows.ts'
import type { ReplaceLinks } from './bundle/links.ts'
import type { Store } from '../store/store.ts'

/** What the interactions stand on. They know no HTTP: a route, a bundle entry and a port call them alike. */
export interface InteractionDeps {
  readonly database: Database
  readonly store: Store
  readonly engine: SearchEngine
  readonly definitions: Definitions
  readonly validate: Validate
  readonly indexOf: IndexOf
  readonly replaceLinks: ReplaceLinks
  readonly clock: Clock
  readonly log: Log
  readonly ids: Ids
  /** The public base address, such as `http://localhost:8080/fhir`. */
  readonly base: string
  readonly limits: InteractionLimits
}

interface InteractionLimits {
  /** Entries of a batch or transaction. */
  readonly bundleEntriesMax: number
  /** Of what a batch or transaction has read, as text; what it has written was sent by the caller. */
  readonly answerCharactersMax: number
}
