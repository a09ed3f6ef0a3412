import { incorrect } from '../../../packages/faults/fault.ts'
import { TooManyCombinations } from '../../../packages/fhir/search/too-many-combinations.ts'
import { hasErrors, type Issue } from '../../../packages/fhir/validate/issue.ts'
import type { Validate } from '../../../packages/fhir/validate/validator.ts'
import type { AccessConditions } from '../scopes/access.ts'
import { isLabelled, labelled } from '../scopes/patients-word.ts'
import { isSubset } from '../search/bundle/shape.ts'
import type { Body } from '../store/change.ts'
import { withoutGiven } from '../store/content.ts'
import type { IndexOf, ResourceIndex } from '../store/index-rows.ts'
import type { InteractionDeps } from './deps.ts'
import { InvalidResource } from './invalid-resource.ts'

/** A resource that somebody sent, ready to be stored: checked, indexed, labelled, and without what the server gives. */
export function prepareBody(
  type: string,
  resource: unknown,
  { isPatientsWord = false }: AccessConditions,
  { validate, indexOf }: Pick<InteractionDeps, 'validate' | 'indexOf'>,
): Body {
  checkIsResource(type, resource)
  const issues = issuesOf(type, resource, validate)
  if (hasErrors(issues)) throw new InvalidResource(issues)
  const bare = withoutGiven(resource)
  const written = isPatientsWord && isLabelled(type) ? labelled(bare) : bare
  return { resource: written, index: indexed(type, written, indexOf) }
}

function indexed(type: string, resource: object, indexOf: IndexOf): ResourceIndex {
  try {
    return indexOf(type, resource)
  } catch (thrown) {
    if (!(thrown instanceof TooManyCombinations)) throw thrown
    throw new InvalidResource([{ severity: 'error', code: 'too-costly', path: type, message: thrown.shown }])
  }
}

/** What is wrong with a resource that somebody wants to store. */
export function issuesOf(type: string, resource: object, validate: Validate): readonly Issue[] {
  const issues = validate(resource)
  return isSubset(resource) ? [...issues, onlyPart(type)] : issues
}

export function checkIsResource(type: string, resource: unknown): asserts resource is SentResource {
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource)) {
    throw incorrect('Send one resource: a JSON object with a resourceType.', { fields: [root('is not a resource')] })
  }
  if (!('resourceType' in resource) || resource.resourceType !== type) {
    throw incorrect(`Send a ${type}: its resourceType must be the type in the address.`, {
      fields: [{ path: 'resourceType', message: `must be ${type}, as the address says` }],
    })
  }
}

export interface SentResource {
  readonly resourceType: string
  readonly id?: unknown
}

/** Who read a summary and writes it back would delete what it had left out. */
const onlyPart = (type: string): Issue => ({
  severity: 'error',
  code: 'business-rule',
  path: `${type}.meta.tag`,
  message: 'The tag SUBSETTED says that elements are missing. Send the whole, read without _summary and _elements.',
})

const root = (message: string) => ({ path: 'Resource', message })
