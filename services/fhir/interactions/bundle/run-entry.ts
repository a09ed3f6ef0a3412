import { incorrect, unreachable } from '../../../../packages/faults/fault.ts'
import type { Queryable } from '../../../../packages/sql/queryable.ts'
import type { Shape } from '../../search/ast.ts'
import { shaped } from '../../search/bundle/shape.ts'
import type { Answer } from '../answer.ts'
import type { InteractionDeps } from '../deps.ts'
import { history } from '../history.ts'
import { patch } from '../patch.ts'
import { instantOf, preconditionOf, versionsOf } from '../preconditions.ts'
import { read, vread } from '../read.ts'
import { search } from '../search.ts'
import { shapeOf } from '../shape-of.ts'
import { create, remove, removeMatching, update, updateMatching } from '../write.ts'
import type { EntryRequest } from './entry-request.ts'
import { patchOf } from './patch-of-entry.ts'
import { isWritable } from './place.ts'
import type { BundleRequest } from './bundle-request.ts'

/** An entry of a batch, by itself: the same as the request that it stands for. */
export async function runEntry(entry: EntryRequest, request: BundleRequest, deps: InteractionDeps): Promise<Answer> {
  const { method, place, resource, ifNoneExist } = entry
  const { type, id, query } = place
  const { access } = request
  if (method === 'GET' || method === 'HEAD') return runReading(entry, request, deps, deps.database)
  if (type === undefined || !isWritable(place)) throw notForBundles(method)
  const condition = preconditionOf(entry)
  switch (method) {
    case 'POST':
      if (id !== undefined) throw notForBundles(method)
      return create({ type, resource, ...(ifNoneExist === undefined ? {} : { unless: ifNoneExist }), access }, deps)
    case 'PUT':
      return id === undefined
        ? updateMatching({ type, query, resource, ...condition, access }, deps)
        : update({ type, id, resource, ...condition, access }, deps)
    case 'PATCH':
      return patch(
        { type, ...(id === undefined ? { query } : { id }), patch: patchOf(resource), ...condition, access },
        deps,
      )
    case 'DELETE':
      return id === undefined
        ? removeMatching({ type, query, ...condition, access }, deps)
        : remove({ type, id, ...condition, access }, deps)
    default:
      return unreachable(method)
  }
}

/** GET in a bundle. Inside a transaction it sees what the transaction has written. */
export async function runReading(
  { place, ifNoneMatch, ifModifiedSince }: EntryRequest,
  { access, isStrict }: BundleRequest,
  deps: InteractionDeps,
  on: Queryable,
): Promise<Answer> {
  const { type, id, version, isHistory, compartmentType, isEverything, query } = place
  if (isHistory) {
    return history(
      { ...(type === undefined ? {} : { type }), ...(id === undefined ? {} : { id }), query, access, isStrict },
      deps,
      on,
    )
  }
  if (type === undefined || id === undefined) return search({ type, query, access, isStrict }, deps, on)
  if (isEverything) return search({ type: undefined, everythingOf: id, query, access, isStrict }, deps, on)
  if (compartmentType !== undefined) {
    const within = compartmentType === '*' ? undefined : compartmentType
    return search({ type: within, compartment: { type, id }, query, access, isStrict }, deps, on)
  }
  const shape = shapeOf(new URLSearchParams(query))
  if (version !== undefined) return cut(await vread({ type, id, version, access }, deps, on), shape, deps)
  const since = instantOf(ifModifiedSince)
  const answer = await read(
    {
      type,
      id,
      ...(ifNoneMatch === undefined ? {} : { knownVersions: versionsOf(ifNoneMatch) }),
      ...(since === undefined ? {} : { modifiedSince: since }),
      access,
    },
    deps,
    on,
  )
  return cut(answer, shape, deps)
}

/** To `_summary` or `_elements`, as a search has done with what it found. */
function cut(answer: Answer, shape: Shape, { definitions }: Pick<InteractionDeps, 'definitions'>): Answer {
  if (answer.kind !== 'found') return answer
  const { stored } = answer
  return { ...answer, stored: { ...stored, content: shaped(stored.content ?? '', stored.type, shape, definitions) } }
}

const notForBundles = (method: string) =>
  incorrect('The entry asks for something that a bundle cannot do.', {
    fields: [{ path: 'request.url', message: `cannot be used with ${method} in a bundle` }],
  })
