/** What the tour reads of a transaction of the bridge. */
export interface Transaction {
  readonly transactionId: string
  readonly status: string
  readonly facilityCode: string | null
  readonly goldenPatientId: string | null
  readonly fhirResourceId: string | null
  readonly patient: string | null
  readonly startedAt: string
  readonly completedAt: string | null
  readonly ackCode: string | null
  readonly stage: string
  readonly stageMs: Readonly<Record<string, number>>
  readonly errorCode: string | null
  readonly errorMessage: string | null
  readonly resources: readonly { readonly type: string; readonly operation: string }[]
}

export interface Delivery {
  readonly channel: string
  readonly status: string
  readonly settledAt: string | null
  readonly answered: string | null
}
