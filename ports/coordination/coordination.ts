/** What was written because of one message, as the clinical coordination service is told. */
export interface PostWriteEvent {
  /** The same on every attempt: the service takes it once. */
  readonly eventId: string
  readonly eventType: 'POST_WRITE'
  readonly occurredAt: string
  readonly transactionId: string
  readonly channelId: string
  readonly messageType: string
  readonly controlId: string
  readonly facilityCode: string | null
  readonly organization: string | null
  readonly patient: string | null
  /** Whom the message is about beside that one: its results may be those of several, or two patients have changed beds. */
  readonly otherPatients?: readonly string[]
  readonly goldenPatientId: string | null
  /** The message was through before, and somebody had it run again: of what it says others have been told. */
  readonly isRerun?: true
  readonly encounter: string | null
  readonly resources: readonly {
    readonly reference: string
    readonly type: string
    readonly versionId: string | null
    readonly operation: 'create' | 'update' | 'delete'
  }[]
  /** The parts of a patient's summary that have changed. */
  readonly sections: readonly SummarySection[]
  readonly flags: { readonly critical: boolean; readonly merge: boolean }
  readonly purposeOfUse: 'TREAT'
}

export const summarySections = [
  'demographics',
  'encounters',
  'results',
  'medications',
  'allergies',
  'problems',
  'procedures',
  'immunizations',
  'documents',
  'appointments',
  'orders',
] as const

export type SummarySection = (typeof summarySections)[number]

/** What the bridge needs of the clinical coordination service. */
export interface Coordination {
  /**
   * Resolves when all of them were taken; `unavailable` when they should be sent again, any other fault when one of
   * them never will be taken. Those of one patient are in their order.
   */
  postWrite(events: readonly PostWriteEvent[], options?: { readonly signal?: AbortSignal }): Promise<void>
}
