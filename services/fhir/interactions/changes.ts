import { incorrect } from '../../../packages/faults/fault.ts'
import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import type { AccessConditions } from '../scopes/access.ts'
import { refuse } from '../search/parse/refuse.ts'
import { isUnrestricted } from '../store/access-condition.ts'
import type { Change, Precondition } from '../store/change.ts'
import { criteriaOf } from '../store/criteria.ts'
import type { InteractionDeps } from './deps.ts'
import { checkIsResource, prepareBody, type SentResource } from './prepare-body.ts'
import { requireRight, requireType } from './require-right.ts'

export interface CreateRequest {
  readonly type: string
  readonly resource: unknown
  /** Criteria under which nothing is created if something is there already (`If-None-Exist`). */
  readonly unless?: string
  /** Given where others have to know it beforehand. */
  readonly newId?: string
  readonly access: AccessConditions
}

export interface UpdateRequest {
  readonly type: string
  readonly id: string
  /** The id was made for it, so that it is nobody else's. */
  readonly isNewId?: boolean
  /** Nothing matched the criteria, so that what has this id already is something else. */
  readonly mustBeNew?: boolean
  readonly resource: unknown
  readonly precondition?: Precondition
  readonly access: AccessConditions
}

export interface ConditionalUpdateRequest {
  readonly type: string
  /** The criteria, without the question mark. */
  readonly query: string
  readonly resource: unknown
  readonly precondition?: Precondition
  readonly access: AccessConditions
}

export interface DeleteRequest {
  readonly type: string
  readonly id: string
  readonly precondition?: Precondition
  readonly access: AccessConditions
}

export interface ConditionalDeleteRequest {
  readonly type: string
  readonly query: string
  readonly precondition?: Precondition
  readonly access: AccessConditions
}

export function creation(request: CreateRequest, deps: InteractionDeps): Change {
  const { type, resource, unless, access, newId = deps.ids.timeUuid() } = request
  requireType(type, deps.definitions)
  requireRight(access, type, 'c')
  const body = prepareBody(type, resource, access, deps)
  if (unless === undefined) {
    return { method: 'POST', type, target: { kind: 'id', id: newId, mayCreate: true, isNewId: true }, body, access }
  }
  requireRight(access, type, 's')
  const criteria = criteriaOf(type, requireCriteria(unless))
  const target = { kind: 'matching', criteria, whenNone: 'create', whenOne: 'keep', newId, ownId: undefined } as const
  return { method: 'POST', type, target, body, access }
}

export function replacement(request: UpdateRequest, deps: InteractionDeps): Change {
  const { type, id, isNewId = false, mustBeNew = false, resource, precondition, access } = request
  requireType(type, deps.definitions)
  requireRight(access, type, 'u')
  checkIsResource(type, resource)
  if (!isFhirId(id)) throw incorrect(`${idRule} The id in the address is not one.`, { code: 'INVALID_ID' })
  if (resource.id !== id) throw otherId(type)
  const body = prepareBody(type, resource, access, deps)
  // To the confined, an id that is taken by what they may not see must look like one that is free.
  const mayCreate = isNewId || isUnrestricted(access, type, 'u')
  const target = { kind: 'id', id, mayCreate, isNewId, mustBeNew } as const
  return { method: 'PUT', type, target, body, ...given(precondition), access }
}

export function matchingReplacement(request: ConditionalUpdateRequest, deps: InteractionDeps): Change {
  const { type, query, resource, precondition, access } = request
  requireType(type, deps.definitions)
  requireRight(access, type, 'u')
  requireRight(access, type, 's')
  const body = prepareBody(type, resource, access, deps)
  // Validation has seen to it that an id is well formed where there is one.
  const { id: ownId } = resource as SentResource & { id?: string }
  const criteria = criteriaOf(type, requireCriteria(query))
  const newId = ownId ?? deps.ids.timeUuid()
  const target = { kind: 'matching', criteria, whenNone: 'create', whenOne: 'write', newId, ownId } as const
  return { method: 'PUT', type, target, body, ...given(precondition), access }
}

export function removal(request: DeleteRequest, deps: Pick<InteractionDeps, 'definitions'>): Change {
  const { type, id, precondition, access } = request
  requireType(type, deps.definitions)
  requireRight(access, type, 'd')
  if (!isFhirId(id)) throw incorrect(`${idRule} The id in the address is not one.`, { code: 'INVALID_ID' })
  const target = { kind: 'id', id, mayCreate: false } as const
  return { method: 'DELETE', type, target, body: undefined, ...given(precondition), access }
}

export function matchingRemoval(
  { type, query, precondition, access }: ConditionalDeleteRequest,
  deps: Pick<InteractionDeps, 'definitions'>,
): Change {
  requireType(type, deps.definitions)
  requireRight(access, type, 'd')
  requireRight(access, type, 's')
  const criteria = criteriaOf(type, requireCriteria(query))
  const target = {
    kind: 'matching',
    criteria,
    whenNone: 'nothing',
    whenOne: 'write',
    newId: '',
    ownId: undefined,
  } as const
  return { method: 'DELETE', type, target, body: undefined, ...given(precondition), access }
}

/** The criteria alone. Without any, everything of the type would match. */
export function requireCriteria(query: string): URLSearchParams {
  const criteria = new URLSearchParams(query)
  for (const name of shaping) criteria.delete(name)
  // Nothing can have it. Left out, as it is of what is stored, another than the one that was named would be found.
  const nul = [...criteria].find(([name, value]) => name.includes('\0') || value.includes('\0'))
  if (nul !== undefined) throw refuse(nul[0], 'holds a NUL character.')
  if (![...criteria.values()].some((value) => value !== '')) {
    throw incorrect('Give search criteria that find one resource, such as identifier=system|value.')
  }
  return criteria
}

const shaping = ['_format', '_pretty', '_summary', '_elements', '_count', '_sort', '_total']

const idRule = 'An id has 1 to 64 letters, digits, dots and hyphens.'

const given = (precondition: Precondition | undefined) => (precondition === undefined ? {} : { precondition })

const otherId = (type: string) =>
  incorrect(`Put the id of the address into the ${type}.`, {
    fields: [{ path: `${type}.id`, message: 'must be the id in the address' }],
  })
