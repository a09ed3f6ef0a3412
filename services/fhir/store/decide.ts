import { conflict, missing, type Fault } from '../../../packages/faults/fault.ts'
import { mustExist, type Outcome, type Precondition } from './change.ts'
import type { Placed, Writing } from './change-under-way.ts'
import { contentOf } from './content.ts'
import type { Head } from './heads.ts'
import { indexKinds } from './index-kinds.ts'
import { ownIndex, unsharedIndex } from './index-rows.ts'
import { outOfReach } from './reach.ts'

/** What becomes of a change once the resource's row is known and locked. */
export type Decision =
  | Writing
  /** The resource has changed since its criteria were looked up. */
  | { readonly kind: 'stale' }
  | (Outcome & { readonly kind: 'absent' | 'refused' })

/** What its criteria found may match no longer, or be another patient's: nothing is said of it before they are looked up again. */
export const isOvertaken = ({ seenVersion }: Pick<Placed, 'seenVersion'>, before: Head | undefined): boolean =>
  seenVersion !== undefined && before?.version !== seenVersion

export function decide(placed: Placed, before: Head | undefined, now: Date): Decision {
  const { change, id, mayCreate, mustBeNew } = placed
  const { type, body, precondition } = change
  if (before !== undefined && (before.type !== type || before.id !== id)) return refused(keyTaken())
  const current = before?.deleted === true ? undefined : before
  const failure = failureOf(precondition, current?.version)
  if (failure !== undefined) return refused(failure)
  if (mustBeNew && current !== undefined) return refused(idInUse())
  if (current === undefined && body === undefined) return { kind: 'absent' }
  if (current === undefined && !mayCreate) return refused(notThere(before))
  return writing(placed, before, now)
}

/** For a caller who may not know of the resource: as if there were none, and without creating another in its place. */
export function decideHidden(placed: Placed, now: Date): Decision {
  // Its criteria were searched with what the caller may search; that it may not be changed is no news of its existence.
  if (placed.seenVersion !== undefined) return refused(outOfReach())
  return decide({ ...placed, mayCreate: false }, undefined, now)
}

/** Why a precondition does not hold, if it does not; `current` is undefined where nothing is there. */
export function failureOf(precondition: Precondition | undefined, current: number | undefined): Fault | undefined {
  if (current === undefined) return mustExist(precondition) ? noVersion() : undefined
  if (precondition?.version !== undefined && precondition.version !== current) return otherVersion()
  return precondition?.isAbsent === true ? isThere() : undefined
}

function writing(placed: Placed, before: Head | undefined, now: Date): Writing {
  const { change, at, key, id } = placed
  const { type, method, body } = change
  const index = body === undefined ? undefined : ownIndex(body.index, type, id)
  // Clocks of several copies differ; the versions of one resource still follow each other.
  const lastUpdated = before !== undefined && before.lastUpdated > now ? before.lastUpdated : now
  const given = { id, version: (before?.version ?? 0) + 1, lastUpdated }
  const content = body === undefined ? undefined : contentOf(body.resource, given)
  const stored = { type, ...given, content }
  const hashes = index?.hashes ?? hashesOfDeleted(before)
  const sharedKey = index?.shared?.key ?? null
  return {
    kind: 'write',
    at,
    placed,
    before,
    head: { key, type, ...given, deleted: body === undefined, hashes, sharedKey },
    version: { ...stored, key, method, patients: index?.patients ?? [] },
    index,
    outcome: { kind: outcomeKind(before, body), stored },
  }
}

/** The same where the resource has all its index rows itself. */
export function unshared(one: Writing): Writing {
  if (one.index === undefined) return one
  const index = unsharedIndex(one.index)
  return { ...one, index, head: { ...one.head, hashes: index.hashes, sharedKey: null } }
}

function outcomeKind(before: Head | undefined, body: unknown): 'created' | 'updated' | 'deleted' {
  if (body === undefined) return 'deleted'
  return before === undefined || before.deleted ? 'created' : 'updated'
}

/** Its compartments stay, so that the patient's history still shows it; everything else is no longer found. */
const hashesOfDeleted = (before: Head | undefined) =>
  indexKinds.map((kind, position) => (kind === 'compartments' ? (before?.hashes[position] ?? '0') : '0'))

export const refused = (fault: Fault) => ({ kind: 'refused', fault }) as const

const otherVersion = () =>
  conflict('The resource is not at the version that If-Match names. Read it again and repeat the change on it.', {
    code: 'PRECONDITION_FAILED',
  })

/** `If-Match` of what is not there: RFC 9110 has it fail, whichever version it names. */
export const noVersion = () =>
  conflict('There is no such resource, and If-Match asks for one.', { code: 'PRECONDITION_FAILED' })

export const isThere = () => conflict('A resource with this id is there already.', { code: 'PRECONDITION_FAILED' })

const idInUse = () => conflict('A resource with this id is there already, and it does not match the criteria.')

const notThere = (before: Head | undefined) =>
  before === undefined
    ? missing('There is no resource with this id.')
    : missing('The resource was deleted.', { code: 'GONE' })

/** One in ten million at a hundred million resources; another id has another key. */
const keyTaken = () => conflict('This id cannot be used. Choose another one.', { code: 'ID_TAKEN' })
