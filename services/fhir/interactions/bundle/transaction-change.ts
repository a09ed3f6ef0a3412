import { incorrect, unreachable } from '../../../../packages/faults/fault.ts'
import type { Transaction } from '../../../../packages/sql/queryable.ts'
import type { AccessConditions } from '../../scopes/access.ts'
import { refusalOfNew } from '../../store/carries.ts'
import type { Change } from '../../store/change.ts'
import { failureOf, isThere } from '../../store/decide.ts'
import type { InteractionDeps } from '../deps.ts'
import { parsePatch } from '../json-patch/operations.ts'
import { patched } from '../patch.ts'
import { preconditionOf } from '../preconditions.ts'
import { checkIsResource } from '../prepare-body.ts'
import { requireRight } from '../require-right.ts'
import { creation, removal, replacement } from '../changes.ts'
import type { IdentifiedEntry } from './identify.ts'
import { patchOf } from './patch-of-entry.ts'

/** What an entry writes; undefined where there is nothing to do. */
export async function changeOf(
  { entry, id, isMatch, criteria, resource }: IdentifiedEntry,
  access: AccessConditions,
  tx: Transaction,
  deps: InteractionDeps,
): Promise<Change | undefined> {
  const { method, place } = entry
  const { type = '' } = place
  const condition = preconditionOf(entry)
  if (method === 'PATCH') {
    requireRight(access, type, 'u')
    return patched({ type, id, ...condition, access }, parsePatch(patchOf(resource)), tx, deps)
  }
  if (id === undefined) {
    requireRight(access, type, 'd')
    const failure = failureOf(condition.precondition, undefined)
    if (failure !== undefined) throw failure
    return undefined
  }
  switch (method) {
    case 'POST': {
      // Also what is not created is checked: a wrong bundle is wrong whatever is there.
      const change = creation({ type, resource, newId: id, access }, deps)
      return isMatch ? undefined : change
    }
    case 'PUT': {
      checkIsResource(type, resource)
      if (place.id !== undefined) return replacement({ type, id, resource, ...condition, access }, deps)
      if (resource.id !== undefined && resource.id !== id) throw otherId(type)
      const change = replacement(
        {
          type,
          id,
          isNewId: !isMatch && resource.id === undefined,
          mustBeNew: !isMatch,
          resource: { ...resource, id },
          ...condition,
          access,
        },
        deps,
      )
      const refusal = isMatch || criteria === undefined ? undefined : refusalOfNew(criteria, change.body?.index)
      if (refusal !== undefined) throw refusal
      // Here, where it concerns nobody else: later it would undo all that share the commit.
      if (isMatch && condition.precondition?.isAbsent === true) throw isThere()
      return change
    }
    case 'DELETE':
      return removal({ type, id, ...condition, access }, deps)
    case 'GET':
    case 'HEAD':
      return undefined
    default:
      return unreachable(method)
  }
}

const otherId = (type: string) =>
  incorrect('The id in the resource is not that of the one that matches the criteria. Leave the id out.', {
    fields: [{ path: `${type}.id`, message: 'is not that of the matching resource' }],
  })
