import { incorrect, unprocessable } from '../../../packages/faults/fault.ts'
import { hasErrors } from '../../../packages/fhir/validate/issue.ts'
import { isSubset } from '../search/bundle/shape.ts'
import type { Body } from '../store/change.ts'
import { withoutGiven } from '../store/content.ts'
import type { InteractionDeps } from './deps.ts'
import { InvalidResource } from './invalid-resource.ts'

/** A resource that somebody sent, ready to be stored: checked, indexed, and without what the server gives. */
export function prepareBody(
  type: string,
  resource: unknown,
  { validate, indexOf }: Pick<InteractionDeps, 'validate' | 'indexOf'>,
): Body {
  checkIsResource(type, resource)
  const issues = validate(resource)
  if (hasErrors(issues)) throw new InvalidResource(issues)
  if (isSubset(resource)) throw onlyPart(type)
  const bare = withoutGiven(resource)
  return { resource: bare, index: indexOf(type, bare) }
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
const onlyPart = (type: string) =>
  unprocessable('The resource is marked as a part of a whole (SUBSETTED). Read it without _summary and _elements.', {
    code: 'SUBSETTED',
    fields: [{ path: `${type}.meta.tag`, message: 'says that elements are missing: send the whole resource' }],
  })

const root = (message: string) => ({ path: 'Resource', message })
