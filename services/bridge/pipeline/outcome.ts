import type { Issue, Message } from '../../../packages/hl7/index.ts'
import type { CodeNeed } from '../mapping/terms.ts'
import type { WrittenResource } from '../persist/written-resource.ts'
import type { Stage } from './stage.ts'

/** What became of a message after ENRICH, TRANSFORM, GOVERN and PERSIST. It is written down before anybody hears of it. */
export type Outcome = Succeeded | Failed | Parked

/** What is known of a message whatever became of it. */
export interface Known {
  /** The last stage that it reached. */
  readonly stage: Stage
  readonly stageMs: Readonly<Partial<Record<Stage, number>>>
  readonly facilityCode?: string
  /** `Organization/…` of the sending facility. */
  readonly organization?: string
  /** `Patient/…` in the store, and its golden record's id. */
  readonly patient?: string
  readonly goldenPatientId?: string
  /**
   * Whom it is about beside that one: who was merged away, of whom something was that is another's now, and everybody else whom
   * the answer to a query tells of.
   */
  readonly otherPatients?: readonly KnownPatient[]
  readonly encounter?: string
  /** The main resource, `Type/id`. */
  readonly fhirResourceId?: string
  readonly resources: readonly WrittenResource[]
  /** How many warnings reading and mapping gave, by kind. */
  readonly warnings: Readonly<Record<string, number>>
  /** Codes for which the terminology service has no counterpart. */
  readonly unmapped: readonly CodeNeed[]
  /** An older message than what is stored: kept, and nothing newer overwritten. */
  readonly isStale: boolean
}

/** Of a message on which no stage has worked yet. */
export const knownAtReceipt: Known = {
  stage: 'RECEIVE',
  stageMs: {},
  resources: [],
  warnings: {},
  unmapped: [],
  isStale: false,
}

export interface KnownPatient {
  readonly patient: string
  readonly goldenPatientId?: string
}

export interface Succeeded extends Known {
  readonly status: 'SUCCESS'
  /** The whole answer where it is more than an ACK: RSP to a query, MFK to a master file. Else stage 7 makes an AA. */
  readonly reply?: Message
}

/** A NACK. `AR`: do not resend unchanged; `AE`: resend later. */
export interface Failed extends Known {
  readonly status: 'ERROR'
  readonly code: 'AE' | 'AR'
  /** ERR-5: `CONSENT_DENIED`, `UNKNOWN_FACILITY`, … */
  readonly errorCode: string
  /** One sentence without patient data; MSA-3 and ERR-8. */
  readonly errorMessage: string
  readonly issues: readonly Issue[]
  /** The whole answer where it says more than why: MFK of records of which some were taken. Else stage 7 makes it. */
  readonly reply?: Message
  /** Which answer of the consent service stopped it. */
  readonly refusal?: ConsentRefusal
  /**
   * For whoever tries again in the place of a sender that is not told: which dependency was away, and for how long. The
   * sentence asks nobody to send it again.
   */
  readonly later?: Pick<Parked, 'errorMessage' | 'wasCalled' | 'retryAfterMs'>
}

export interface ConsentRefusal {
  /** The bare id of the record that was asked about. */
  readonly patientId: string
  /** `Organization/…` that wanted to do it. */
  readonly actor: string
  readonly resourceType: string
  readonly operation: string
  /** The five checks and the verdict. */
  readonly reason: string
  /** The record that decided, or that came closest; null where there is none. */
  readonly consentRecordId: number | null
}

/** The store is down: the message waits in the retry queue, and its sender gets an AA. */
export interface Parked extends Known {
  readonly status: 'QUEUED'
  readonly errorCode: string
  readonly errorMessage: string
  /** Else this does not count as an attempt: the circuit was open, or there was no connection. */
  readonly wasCalled: boolean
  /** What the store asked for (Retry-After), if it did. */
  readonly retryAfterMs?: number
}

/** Of a message that waits for no dependency, but behind another one. */
export const waitsForPatient = 'WAITS_FOR_PATIENT'
