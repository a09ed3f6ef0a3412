import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { Issue } from '../../../packages/hl7/index.ts'
import type { CodeNeed } from './terms.ts'

/** What a message becomes: writes for the FHIR store, or the reasons why it is refused. */
export type Mapping = Mapped | Refused

export interface Mapped {
  readonly refused?: never
  /** In the order in which they should be written: what is referred to comes before what refers to it. */
  readonly writes: readonly Write[]
  /** The `fullUrl` of the resource that the message is about; its id is the transaction's fhirResourceId. */
  readonly main?: string
  /** The `fullUrl`s of the patients, the one in whose name the message is governed first. */
  readonly patients: readonly string[]
  /** EVN-2, else MSH-7: an older message never overwrites what a newer one said. */
  readonly saidAt?: string
  /** Codes to look up before the message is mapped again. Empty on the last pass. */
  readonly needs: readonly CodeNeed[]
  readonly warnings: readonly Warning[]
}

export interface Refused {
  /** What the sender is told, with codes of table 0357. At least one. */
  readonly refused: readonly Issue[]
  readonly warnings: readonly Warning[]
}

/** One resource and how it joins what the store holds. `merge.ts` carries it out. */
export interface Write<R extends FhirResource = FhirResource> {
  /** `urn:uuid:` made of type and key, the same on every run. Other resources of the message refer to it. */
  readonly fullUrl: string
  readonly key: Key
  /** Its further numbers: an earlier message may have told of it by one of these alone. */
  readonly otherKeys?: readonly Key[]
  /**
   * Which it would be of several under its key, had its message told them all (`ownKey`): what has one of these alone is meant
   * first, in this order. Where its key finds one that is another by these, it is mapped again under the first of them (`known-as.ts`).
   */
  readonly exactKeys?: readonly Key[]
  /** What has this, replaces it: a document may have been replaced before it came. Sought with the keys, in the same round trip. */
  readonly replacementKey?: Key
  readonly mode: WriteMode
  /** What the message says. It has no id. An element that is not here stays as it is stored. */
  readonly resource: R
  /** Elements for a resource that has none yet: R4 demands them, and the message does not say. */
  readonly defaults: Partial<R>
  /** Elements whose field was `""`: `maritalStatus`, `period.end`. They are removed. */
  readonly deletes: readonly string[]
  /** Items that leave a list before the message's own items join it. */
  readonly removes: readonly ItemRemoval[]
  /** Of a Practitioner who has left: the system of the identifiers of their roles that end, named or not. */
  readonly endsRoles?: string
  /** The `fullUrl` of another write of the message: where that one's resource is stored, this one is left out. */
  readonly unlessStored?: string
  /** The `fullUrl` of the panel that tells it: where it is stored as a result of its own, that goes (`told-in-panels.ts`). */
  readonly toldIn?: string
  /**
   * A patient whom the message only mentions: where they are stored, nothing changes but the link to their golden record, and
   * whether they have died, where the event of a visit tells that. Or a document that another replaces: nothing changes but its status, and what was said of it before that may still come.
   */
  readonly isMention?: true
  /**
   * Of what is taken back or called off (`amend`): where there is nothing, it is made all the same, as what it is now. Its
   * original may still come, and would stand as valid.
   */
  readonly leavesTrace?: true
  /** The message tells of it as new (S12): what has its number on another day is another one. */
  readonly isNew?: true
  /** The message moves it to its patient (A44, A45): the numbers of the patient whose it was, as MRG-1 has them. */
  readonly movesFrom?: readonly string[]
  /** Its message is older than what is stored, and only adds what nobody has said since. */
  readonly isAddition?: true
  /** It goes with another write of the message (`fullUrl`), whenever it was told of itself: a result with its visit. */
  readonly broughtBy?: string
  /** Though it is brought, the message says it: what was said of it later stays, and what was said before comes too late. */
  readonly isTold?: true
}

/**
 * `upsert`: merged into what is stored, or created. `ensure`: created when there is none, else left alone (a message
 * that only mentions it). `amend`: merged into what is stored, and nothing when there is none.
 */
export type WriteMode = 'upsert' | 'ensure' | 'amend'

/** The conditional update: `PUT [type]?identifier=system|value`. */
export interface Key {
  /** `_tag` only for types without identifiers (Provenance). */
  readonly parameter: 'identifier' | '_tag'
  readonly system: string
  readonly value: string
}

/**
 * Removes the items of a list (or of one inside an element: `meta.security`) whose parts equal these: `{ element:
 * 'location', where: { status: 'reserved' } }`; all, when it says none. Undefined: those that have no such part.
 */
export interface ItemRemoval {
  readonly element: string
  readonly where: Readonly<Record<string, string | undefined>>
  /** Those of them whose actor is of this type stay. */
  readonly exceptActor?: string
  /** Only those of them whose actor is of this type go. */
  readonly ofActor?: string
}

export interface Warning {
  readonly kind: WarningKind
  /** Where in the message: `PID-7`, `OBX[3]-5[1]`. */
  readonly path: string
  /** For people; never holds patient data. */
  readonly text: string
}

export type WarningKind =
  | 'unmapped-code'
  | 'not-looked-up'
  | 'unknown-value'
  | 'bad-date'
  | 'bad-number'
  | 'bad-value'
  | 'kept-segment'
  | 'not-kept'
  | 'shared-number'
