import { incorrect } from '../../../packages/faults/fault.ts'
import type { Issue } from '../../../packages/fhir/validate/issue.ts'
import { operationInput, wrong, type OperationInput } from '../terminology/operations/operation-input.ts'
import type { Answer } from './answer.ts'
import type { InteractionDeps } from './deps.ts'
import { allWell, outcomeOfIssues } from './invalid-resource.ts'
import { checkIsResource, issuesOf, type SentResource } from './prepare-body.ts'
import { requireType } from './require-right.ts'

export interface ValidateRequest {
  readonly type: string
  /** Of the resource that it would be written to. */
  readonly id?: string
  readonly query: string
  /** Undefined: there is none. */
  readonly body: unknown
}

/** `$validate`: what would be said of the resource if it were written. Nothing is. */
export function validateOperation(
  { type, id, query, body }: ValidateRequest,
  { definitions, validate }: Pick<InteractionDeps, 'definitions' | 'validate'>,
): Answer {
  requireType(type, definitions)
  const input = operationInput({ query: new URLSearchParams(query), body })
  const mode = modeIn(input)
  if (mode === 'delete') return deletable(id)
  const profile = input.text('profile')
  if (mode === 'profile' && profile === undefined) throw wrong('profile', 'is needed with the mode profile')
  const resource = resourceIn(body, input)
  checkIsResource(type, resource)
  const issues = [
    ...issuesOf(type, resource, validate),
    ...(mode === 'update' && id !== undefined ? idIssues(type, id, resource) : []),
    ...(profile === undefined || isBase(profile, type) ? [] : [unchecked(type)]),
  ]
  return outcome(issues.length === 0 ? allWell('The resource is valid.') : outcomeOfIssues(issues))
}

const modes = ['create', 'update', 'delete', 'profile'] as const

function modeIn(input: OperationInput): (typeof modes)[number] | undefined {
  const asked = input.text('mode')
  const mode = modes.find((word) => word === asked)
  if (asked !== undefined && mode === undefined) throw wrong('mode', `must be one of ${modes.join(', ')}`)
  return mode
}

/** Nothing keeps a resource from being deleted: references to it may stay. */
function deletable(id: string | undefined): Answer {
  if (id === undefined) throw wrong('mode', 'can be delete only for one resource: Type/id/$validate')
  return outcome(allWell('By the rules of R4 a resource of this type may be deleted.'))
}

/** Sent as it is, or in Parameters under the name resource. */
function resourceIn(body: unknown, input: OperationInput): unknown {
  const { resourceType, parameter } = (body ?? {}) as { resourceType?: unknown; parameter?: unknown }
  if (resourceType !== 'Parameters' || !Array.isArray(parameter)) return body
  const found = input.resource('resource')
  if (found === undefined) {
    throw incorrect('Send the resource itself, or Parameters with a parameter named resource.', {
      fields: [{ path: 'Parameters.parameter', message: 'has no resource' }],
    })
  }
  return found
}

const idIssues = (type: string, id: string, resource: SentResource): Issue[] =>
  resource.id === id
    ? []
    : [{ severity: 'error', code: 'value', path: `${type}.id`, message: 'The id must be that of the address.' }]

/** The rules of R4 itself are always looked at. */
const isBase = (profile: string, type: string) =>
  profile.split('|')[0] === `http://hl7.org/fhir/StructureDefinition/${type}`

const unchecked = (type: string): Issue => ({
  severity: 'warning',
  code: 'not-supported',
  path: type,
  message: 'The profile was not looked at: this server knows the rules of R4 itself, and no profiles.',
})

const outcome = (content: object): Answer => ({ kind: 'made', content: JSON.stringify(content), touched: [] })
