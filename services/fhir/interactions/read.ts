import { missing } from '../../../packages/faults/fault.ts'
import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import type { AccessConditions } from '../scopes/access.ts'
import type { Stored } from '../store/change.ts'
import { readResource, readVersion } from '../store/read.ts'
import type { Answer } from './answer.ts'
import type { InteractionDeps } from './deps.ts'
import { requireNoOperation, requireRight, requireType } from './require-right.ts'

interface ReadRequest {
  readonly type: string
  readonly id: string
  /** The versions that the caller has (`If-None-Match`). */
  readonly knownVersions?: readonly string[]
  readonly modifiedSince?: Date
  readonly access: AccessConditions
}

/** `GET Type/id`. Inside a transaction `on` is that transaction. */
export async function read(
  request: ReadRequest,
  deps: Pick<InteractionDeps, 'engine' | 'definitions'>,
  on: Queryable,
): Promise<Answer> {
  const { type, access } = request
  requireType(type, deps.definitions)
  requireNoOperation(request.id)
  if (request.id === '') throw noId(type)
  requireRight(access, type, 'r')
  // What is no id was never given to a resource, and may hold what no database takes.
  const stored = isFhirId(request.id) ? await readResource(request, on, deps.engine) : undefined
  if (stored === undefined) throw notThere(type)
  if (stored.content === undefined) throw deleted(type)
  return { kind: isKnown(stored, request) ? 'not-modified' : 'found', stored }
}

/** `GET Type/id/_history/version`. */
export async function vread(
  request: { type: string; id: string; version: string; access: AccessConditions },
  deps: Pick<InteractionDeps, 'engine' | 'definitions'>,
  on: Queryable,
): Promise<Answer> {
  const { type, access } = request
  requireType(type, deps.definitions)
  requireRight(access, type, 'r')
  const version = versionNumber(request.version)
  const isPossible = version !== undefined && isFhirId(request.id)
  const stored = isPossible ? await readVersion({ ...request, version }, on, deps.engine) : undefined
  if (stored === undefined) throw notThere(type)
  if (stored.content === undefined) throw deleted(type)
  return { kind: 'found', stored }
}

/** Versions are counted from 1; whatever else is written there never was one. */
export function versionNumber(text: string): number | undefined {
  return /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : undefined
}

/** The stronger condition decides where both are given, as RFC 9110 says. */
function isKnown({ version, lastUpdated }: Stored, { knownVersions, modifiedSince }: ReadRequest): boolean {
  if (knownVersions !== undefined) return knownVersions.includes(String(version)) || knownVersions.includes('*')
  // HTTP dates have no milliseconds.
  return modifiedSince !== undefined && Math.floor(lastUpdated.getTime() / 1_000) * 1_000 <= modifiedSince.getTime()
}

export const notThere = (type: string) => missing(`There is no ${type} with this id, or none that you may see.`)
const noId = (type: string) => missing(`There is no id in the address. To search ${type}, leave out the final slash.`)
const deleted = (type: string) => missing(`The ${type} was deleted.`, { code: 'GONE' })
