import type { ScopeContext } from '../../../packages/smart/scope.ts'

export const provisionTypes = ['permit', 'deny'] as const
export type ProvisionType = (typeof provisionTypes)[number]

/** What a person or an administrator has laid down. */
export interface ConsentTerms {
  /** `Patient/<id>`; null for user, system and context consents. */
  readonly patientId: string | null
  /** `Device/<id>` or `Organization/<id>`; null means all actors. */
  readonly actorReference: string | null
  readonly provisionType: ProvisionType
  /** Empty means all resource types. */
  readonly resourceClasses: readonly string[]
  /** Nobody has chosen the classes: they are what the scopes give, and change with these. */
  readonly classesFollow: boolean
  readonly scopeValues: readonly string[]
  /** Letters of `cruds`, derived from the scopes. */
  readonly permittedOperations: string
  /** Days, both inclusive; null is open on that side. */
  readonly periodStart: string | null
  readonly periodEnd: string | null
  readonly scopeContext: ScopeContext
  /** Purposes of use that it is confined to, as HL7 codes; empty means any. */
  readonly purposes: readonly string[]
  readonly regulatoryBasis: string | null
  readonly note: string | null
  readonly organisationId: string | null
}

export interface ConsentRecord extends ConsentTerms {
  readonly id: number
  readonly version: number
  readonly fhirConsentId: string
  readonly status: 'active' | 'inactive'
  /** No patient, and written by an ADMIN: it decides for everybody. */
  readonly isDomainPolicy: boolean
  readonly createdBy: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly revokedAt: Date | null
}

/** What of a record a decision looks at; the rest is not even read for one. */
export type DecidingRecord = Omit<
  ConsentRecord,
  | 'classesFollow'
  | 'version'
  | 'fhirConsentId'
  | 'scopeContext'
  | 'note'
  | 'organisationId'
  | 'createdBy'
  | 'createdAt'
  | 'revokedAt'
>
