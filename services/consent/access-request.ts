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

/** A purpose of use: a code of HL7's, a word for one, or one of the country's own. */
export const purposePattern = /^[A-Za-z0-9_.:-]{1,64}$/

/** The words in use for a purpose, and the code of HL7's PurposeOfUse that each means. */
const codeOfPurpose: ReadonlyMap<string, string> = new Map([
  ['TREATMENT', 'TREAT'],
  ['EMERGENCY', 'ETREAT'],
  ['RESEARCH', 'HRESCH'],
  ['PUBLIC-HEALTH', 'PUBHLTH'],
  ['PAYMENT', 'HPAYMT'],
  ['OPERATIONS', 'HOPERAT'],
  ['BREAK-GLASS', 'BTG'],
])

/** One spelling for every purpose; one that is not known is kept as it is, in capitals. */
export function purposeCode(word: string): string {
  const plain = word.toUpperCase().replaceAll('_', '-')
  return codeOfPurpose.get(plain) ?? plain
}
