import type { Letter } from '../../packages/smart/letters.ts'

export const fhirOperations = ['READ', 'SEARCH', 'CREATE', 'UPDATE', 'DELETE'] as const
export type FhirOperation = (typeof fhirOperations)[number]

/** The question: may one of these actors do this with this type of resource of this patient? */
export interface AccessRequest {
  readonly patientId: string
  /** One party may be known by several references: its device and its organisation. */
  readonly actorReferences: readonly string[]
  readonly resourceType: string
  readonly operation: FhirOperation
  readonly purposeOfUse: string
}

export const letterOf: Readonly<Record<FhirOperation, Letter>> = {
  READ: 'r',
  SEARCH: 's',
  CREATE: 'c',
  UPDATE: 'u',
  DELETE: 'd',
}

export const operationOfMethod = {
  GET: 'READ',
  POST: 'CREATE',
  PUT: 'UPDATE',
  PATCH: 'UPDATE',
  DELETE: 'DELETE',
} as const satisfies Readonly<Record<string, FhirOperation>>
