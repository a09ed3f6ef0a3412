import { incorrect } from '../../../packages/faults/fault.ts'
import type { Definitions } from '../../../packages/fhir/definitions.ts'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import type { Issue } from '../../../packages/fhir/validate/issue.ts'
import type { TouchedResource } from '../audit/audited-access.ts'
import type { AccessConditions } from '../scopes/access.ts'
import { canonicalOf } from '../terminology/canonical.ts'
import { operationInput, wrong, type OperationInput } from '../terminology/operations/operation-input.ts'
import { touchedBy, type Answer } from './answer.ts'
import type { InteractionDeps } from './deps.ts'
import { allWell, InvalidResource, outcomeOfIssues } from './invalid-resource.ts'
import { checkIsResource, issuesOf, type SentResource } from './prepare-body.ts'
import { read } from './read.ts'
import { requireType } from './require-right.ts'

interface ValidateRequest {
  readonly type: string
  /** Of the resource that it would be written to. */
  readonly id?: string
  readonly query: string
  /** Undefined: there is none. */
  readonly body: unknown
  readonly access: AccessConditions
}

/** `$validate`: what would be said of the resource if it were written. Nothing is. */
export async function validateOperation(request: ValidateRequest, deps: ValidateDeps): Promise<Answer> {
  const { type, id, query, body } = request
  requireType(type, deps.definitions)
  const input = operationInput({ query: new URLSearchParams(query), body })
  const mode = modeIn(input)
  if (mode === 'delete') return deletable(id)
  const profile = input.text('profile')
  if (mode === 'profile' && profile === undefined) throw wrong('profile', 'is needed with the mode profile')
  const isOfStored = mode === 'profile' && id !== undefined && !bringsResource(body, input)
  const { resource, touched } = isOfStored
    ? await storedOne(request, id, deps)
    : { resource: resourceIn(body, input), touched: [] }
  checkIsResource(type, resource)
  const isBase = (asked: string) => isBaseProfile(asked, type, deps.definitions)
  const issues = [
    ...issuesOf(type, resource, deps.validate),
    ...(mode === 'update' && id !== undefined ? idIssues(type, id, resource) : []),
    ...unlookedProfiles(type, resource, isBase),
  ]
  // R4: "If a profile is nominated, and the server cannot validate against the nominated profile, it SHALL return an
  // error" and not a verdict, which is what a 200 would be. What was found out is told all the same.
  if (profile !== undefined && !isBase(profile)) throw new InvalidResource([...issues, unchecked('error', type)])
  return outcome(issues.length === 0 ? allWell('The resource is valid.') : outcomeOfIssues(issues), touched)
}

type ValidateDeps = Pick<InteractionDeps, 'definitions' | 'validate' | 'engine' | 'database'>

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

/** Parameters alone may come along without a resource: R4 has the mode profile look at the one of the address. */
function bringsResource(body: unknown, input: OperationInput): boolean {
  const { resourceType } = (body ?? {}) as { resourceType?: unknown }
  return body !== undefined && (resourceType !== 'Parameters' || input.resource('resource') !== undefined)
}

async function storedOne({ type, access }: ValidateRequest, id: string, deps: ValidateDeps) {
  const answer = await read({ type, id, access }, deps, deps.database)
  const { content = '' } = 'stored' in answer ? answer.stored : {}
  return { resource: parseJson(content), touched: touchedBy(answer) }
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
function isBaseProfile(profile: string, type: string, { fhirVersion }: Pick<Definitions, 'fhirVersion'>): boolean {
  const { url, version = fhirVersion } = canonicalOf(profile)
  return url === `http://hl7.org/fhir/StructureDefinition/${type}` && version === fhirVersion
}

/** What the resource says of itself, without anybody having asked. */
function unlookedProfiles(type: string, resource: SentResource, isBase: (profile: string) => boolean): Issue[] {
  const claimed: unknown = (resource as { readonly meta?: { readonly profile?: unknown } | null }).meta?.profile
  // What is no list of texts is told of by the rules.
  return (Array.isArray(claimed) ? claimed : []).flatMap((profile: unknown, index) =>
    typeof profile === 'string' && !isBase(profile) ? [unchecked('warning', `${type}.meta.profile[${index}]`)] : [],
  )
}

const unchecked = (severity: 'error' | 'warning', path: string): Issue => ({
  severity,
  code: 'not-supported',
  path,
  message: 'The profile was not looked at: this server knows the rules of R4 itself, and no profiles.',
})

const outcome = (content: object, touched: readonly TouchedResource[] = []): Answer => ({
  kind: 'made',
  content: JSON.stringify(content),
  touched,
})
