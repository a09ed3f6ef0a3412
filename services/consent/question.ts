import type { AskedIdentifiers } from './audit/failed-call.ts'
import { invalid, type FaultField } from '../../packages/faults/fault.ts'
import { fhirOperations, operationOfMethod, purposeCode, purposePattern, type AccessRequest } from './access-request.ts'
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
  const failed: FaultField[] = []
  const patientId = patientReference(query.patientId)
  if (patientId === undefined) failed.push({ path: 'patientId', message: 'must be Patient/<id>' })
  const { length } = query.actorReference
  // An actor that no record can name would pass every deny that means them: one slip of the pen opens what was closed.
  if (length === 0 || length > actorsMax || !query.actorReference.every(isActorReference)) {
    failed.push({ path: 'actorReference', message: 'must be Device/<id> or Organization/<id>' })
  }
  if (!resourceTypes.has(query.resourceType)) {
    failed.push({ path: 'resourceType', message: 'must be a FHIR R4 resource type' })
  }
  if (!purposePattern.test(query.purposeOfUse ?? 'TREATMENT')) {
    failed.push({ path: 'purposeOfUse', message: 'must be a code of at most 64 characters' })
  }
  const named = wordOf(query.fhirOperation, fhirOperations, 'fhirOperation', failed)
  const method = wordOf(query.httpMethod, methods, 'httpMethod', failed)
  if (failed.length > 0 || patientId === undefined) throw invalid(...failed)
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

/** In any case; an unknown word is a mistake even where another parameter would decide. */
function wordOf<Word extends string>(
  given: string | undefined,
  words: readonly Word[],
  path: string,
  failed: FaultField[],
): Word | undefined {
  const word = words.find((known) => known === given?.toUpperCase())
  if (given !== undefined && word === undefined) failed.push({ path, message: `must be one of ${words.join(', ')}` })
  return word
}
