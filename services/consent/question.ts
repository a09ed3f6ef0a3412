import type { AskedIdentifiers } from './audit/failed-call.ts'
import { invalid, type FaultField } from '../../packages/faults/fault.ts'
import { fhirOperations, operationOfMethod, type AccessRequest } from './access-request.ts'
import { purposeCode, purposePattern } from './purposes.ts'
import { isActorReference, patientReference } from './record/references.ts'

interface QuestionQuery {
  readonly patientId: string
  readonly actorReference: readonly string[]
  readonly resourceType: string
  readonly fhirOperation?: string
  readonly httpMethod?: string
  readonly purposeOfUse?: string
}

/** The question as the query puts it. Names every failed parameter at once. */
export function readQuestion(query: QuestionQuery, resourceTypes: ReadonlySet<string>): AccessRequest {
  const failed = wrongInQuestion(query, resourceTypes)
  const patientId = patientReference(query.patientId)
  if (failed.length > 0 || patientId === undefined) throw invalid(...failed)
  const named = wordOf(query.fhirOperation, fhirOperations)
  const method = wordOf(query.httpMethod, methods)
  return {
    patientId,
    actorReferences: [...new Set(query.actorReference)],
    resourceType: query.resourceType,
    operation: named ?? (method === undefined ? 'READ' : operationOfMethod[method]),
    purposeOfUse: purposeCode(query.purposeOfUse ?? 'TREATMENT'),
  }
}

export interface AskedTexts {
  readonly patientId: string | null
  readonly actorReferences: readonly string[]
  readonly resourceType: string | null
  readonly fhirOperation: string | null
}

/** What of a refused question can be told apart as identifiers. Anything else may be a name and is left out. */
export function identifiersIn(asked: AskedTexts, resourceTypes: ReadonlySet<string>): AskedIdentifiers {
  const { patientId, actorReferences, resourceType, fhirOperation } = asked
  return {
    patientId: patientReference(patientId ?? '') ?? null,
    actorReferences: actorReferences.filter(isActorReference).slice(0, actorsMax),
    resourceType: resourceType !== null && resourceTypes.has(resourceType) ? resourceType : null,
    operation: fhirOperations.find((known) => known === fhirOperation?.toUpperCase()) ?? null,
  }
}

export const actorsMax = 10

// Sound: these are its keys.
const methods = Object.keys(operationOfMethod) as (keyof typeof operationOfMethod)[]

/** All that is wrong, also of a query from which something is missing. */
export function wrongInQuestion(
  {
    patientId = '',
    actorReference = [],
    resourceType = '',
    purposeOfUse,
    fhirOperation,
    httpMethod,
  }: Partial<QuestionQuery>,
  resourceTypes: ReadonlySet<string>,
): FaultField[] {
  const { length } = actorReference
  // An actor that no record can name would pass every deny that means them: one slip of the pen opens what was closed.
  const areActors = length > 0 && length <= actorsMax && actorReference.every(isActorReference)
  const wrong: readonly (readonly [path: keyof QuestionQuery, isWrong: boolean, message: string])[] = [
    ['patientId', patientReference(patientId) === undefined, 'must be Patient/<id>'],
    ['actorReference', !areActors, 'must be Device/<id> or Organization/<id>'],
    ['resourceType', !resourceTypes.has(resourceType), 'must be a FHIR R4 resource type'],
    ['purposeOfUse', !purposePattern.test(purposeOfUse ?? 'TREATMENT'), 'must be a code of at most 64 characters'],
    // Also where another parameter would decide: an unknown word is a mistake.
    ['fhirOperation', isUnknown(fhirOperation, fhirOperations), `must be one of ${fhirOperations.join(', ')}`],
    ['httpMethod', isUnknown(httpMethod, methods), `must be one of ${methods.join(', ')}`],
  ]
  return wrong.flatMap(([path, isWrong, message]) => (isWrong ? [{ path, message }] : []))
}

/** In any case. */
const wordOf = <Word extends string>(given: string | undefined, words: readonly Word[]): Word | undefined =>
  words.find((known) => known === given?.toUpperCase())

const isUnknown = (given: string | undefined, words: readonly string[]): boolean =>
  given !== undefined && wordOf(given, words) === undefined
