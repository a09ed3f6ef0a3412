import type { Facility } from '../../../ports/facility-registry/facility-registry.ts'
import type { MappingContext } from '../mapping/context.ts'
import type { Mapped } from '../mapping/mapped.ts'
import type { Person } from '../mapping/person.ts'
import type { Stored } from '../persist/stored.ts'

/** ENRICH promises: the facility is known, and so is everybody whom the message is about, as far as anybody knows them. */
export interface Enriched {
  readonly facility: Facility
  readonly context: MappingContext
  /** The message without the answers of the terminology: its keys, its people, the codes that it needs. */
  readonly sketch: Mapped
  readonly people: readonly Person[]
  /** What the store has of it already. */
  readonly stored: Stored
}
