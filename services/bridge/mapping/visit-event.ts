import type { Encounter, EncounterLocation, Identifier } from '../../../packages/fhir/r4.ts'
import type { ItemRemoval, WriteMode } from './mapped.ts'

/** What an event does to a visit. Without one, the visit is only mentioned. */
export interface VisitEvent {
  /** `stored`: what the store has stays. */
  readonly status: Encounter['status'] | 'stored'
  /** A discharge date means that the visit is over, as in messages about the past. */
  readonly endFinishes?: boolean
  /** The class when PV1-2 is empty. */
  readonly class?: 'IMP' | 'AMB'
  /** What PV1-3, the assigned location, is. */
  readonly assigned?: LocationStatus
  /** Elements that the event takes away. A message that names them names what is cancelled. */
  readonly deletes?: readonly string[]
  readonly removes?: readonly ItemRemoval[]
  /** Fields that do not count in this event: a cancelled discharge has no discharge date (PV1-45). */
  readonly withoutEnd?: boolean
  /** A cancelled transfer has no place to go to (PV1-42, PV2-1). */
  readonly withoutPending?: boolean
  /** What was cancelled has left no place (PV1-6, 43); who only mentions a visit does not tell its history. */
  readonly withoutPrior?: boolean
  /** MRG-5 may say by which number the visit was known before. */
  readonly isRenumbered?: true
  /** The number that the visit had (MRG-5), by which it is sought before that of PV1-19. */
  readonly prior?: Identifier
  /** The visit stays whose it is: another patient's is not meant. */
  readonly keepsPatient?: true
  /** The visit was another patient's (A45): the numbers of that one (MRG-1). */
  readonly movesFrom?: readonly string[]
  readonly mode?: WriteMode
  /** A visit that is deleted before anybody told of it is known to be so. */
  readonly leavesTrace?: true
}

type LocationStatus = NonNullable<EncounterLocation['status']>
