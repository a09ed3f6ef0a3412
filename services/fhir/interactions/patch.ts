import { forbidden, incorrect, missing } from '../../../packages/faults/fault.ts'
import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import type { Transaction } from '../../../packages/sql/queryable.ts'
import type { AccessConditions } from '../scopes/access.ts'
import type { Change, Precondition } from '../store/change.ts'
import { criteriaOf } from '../store/criteria.ts'
import { failureOf } from '../store/decide.ts'
import { lockHeads } from '../store/heads.ts'
import { keptUnseen, mustBeSeen } from '../store/kept-elements.ts'
import { resourceKey } from '../store/keys.ts'
import { lockMatches } from '../store/locked-matches.ts'
import { manyMatch } from '../store/place.ts'
import { readResource } from '../store/read.ts'
import { accepted } from '../store/store.ts'
import type { Answer } from './answer.ts'
import type { InteractionDeps } from './deps.ts'
import { applyPatch } from './json-patch/apply-patch.ts'
import { parsePatch, type PatchOperation } from './json-patch/operations.ts'
import { isPrefix } from './json-patch/pointer.ts'
import { prepareBody, type SentResource } from './prepare-body.ts'
import { requireRight, requireType } from './require-right.ts'
import { asFarAsSeen } from './unseen.ts'
import { requireCriteria } from './changes.ts'

interface PatchRequest {
  readonly type: string
  /** Which one: by its id, or what the criteria find. */
  readonly id?: string
  readonly query?: string
  readonly patch: unknown
  readonly precondition?: Precondition
  readonly access: AccessConditions
}

/** `PATCH Type/id` and `PATCH Type?criteria`, with JSON Patch. The resource is locked from reading to writing. */
export async function patch(request: PatchRequest, deps: InteractionDeps): Promise<Answer> {
  const { type, access } = request
  requireType(type, deps.definitions)
  requireRight(access, type, 'u')
  const operations = parsePatch(request.patch)
  const answer = await deps.database.transaction(async (tx) => {
    const id = request.id ?? (await idOfMatch(request, tx, deps))
    const [outcome] = await deps.store.writeTogether([await patched({ ...request, id }, operations, tx, deps)], tx)
    return accepted(outcome)
  })
  return asFarAsSeen(answer, access, deps)
}

/**
 * The change that a patch comes to; without an id, that of criteria that matched nothing. Called inside a transaction,
 * whose lock on the resource it takes.
 */
export async function patched(
  {
    type,
    id,
    precondition,
    access,
  }: Omit<PatchRequest, 'id' | 'query' | 'patch'> & { readonly id: string | undefined },
  operations: readonly PatchOperation[],
  tx: Transaction,
  deps: Pick<InteractionDeps, 'validate' | 'indexOf' | 'engine'>,
): Promise<Change> {
  if (id === undefined) throw failureOf(precondition, undefined) ?? missing(`No ${type} matches the criteria.`)
  if (!isFhirId(id)) throw missing(`There is no ${type} with this id.`)
  await lockHeads([resourceKey(type, id)], tx)
  // What is out of reach must not be told apart by tests that hold or fail.
  const current = await readResource({ type, id, access, right: 'u' }, tx, deps.engine)
  if (current?.content === undefined) {
    throw failureOf(precondition, undefined) ?? missing(`There is no ${type} with this id.`)
  }
  if (operations.some(isLooking) && (await readResource({ type, id, access }, tx, deps.engine)) === undefined) {
    throw forbidden(
      'Operations that test, copy or move need the right to read the resource. Leave them out of the patch, or ask for a scope that reads.',
    )
  }
  if (operations.some((one) => isOfSome(one, keptUnseen(access, type)))) throw mustBeSeen(type)
  // Sound: only JSON objects are stored.
  const document = parseJson(current.content) as object
  const isMeant = failureOf(precondition, current.version) === undefined
  const body = isMeant
    ? prepareBody(type, patchedDocument(document, operations, { type, id }), access, deps)
    : // A patch is not held against a version that it was not made for (RFC 9110 section 13.2.1). The store refuses the
      // change, and says first whether the resource is the caller's to change.
      { resource: document, index: deps.indexOf(type, document) }
  const target = { kind: 'id', id, mayCreate: false } as const
  return { method: 'PATCH', type, target, body, ...(precondition === undefined ? {} : { precondition }), access }
}

/** Tells what is in the resource: by holding or failing, or by putting it where it is seen. */
const isLooking = ({ op }: PatchOperation): boolean => op === 'test' || op === 'copy' || op === 'move'

/** It changes one of these elements, what is in one, or what one is in. */
const isOfSome = ({ path }: PatchOperation, elements: readonly string[]): boolean =>
  elements.map((element) => element.split('.')).some((steps) => isPrefix(steps, path) || isPrefix(path, steps))

function patchedDocument(
  document: object,
  operations: readonly PatchOperation[],
  { type, id }: { readonly type: string; readonly id: string },
): unknown {
  const resource = applyPatch(document, operations)
  // Of the whole, anything may have been put in its place.
  if ((resource as SentResource | null)?.id !== id) {
    throw incorrect('A patch may not change the id.', { fields: [{ path: `${type}.id`, message: 'may not change' }] })
  }
  return resource
}

async function idOfMatch(
  { type, query = '', access }: PatchRequest,
  tx: Transaction,
  deps: InteractionDeps,
): Promise<string | undefined> {
  requireRight(access, type, 's')
  const criteria = criteriaOf(type, requireCriteria(query))
  const { found } = await lockMatches({ questions: [{ criteria, access, mayCreate: false }] }, tx, deps)
  const [match, second] = found[0] ?? []
  if (second !== undefined) throw manyMatch()
  return match?.id
}
