import { isDeepStrictEqual } from 'node:util'
import { forbidden } from '../../../packages/faults/fault.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { AccessConditions } from '../scopes/access.ts'
import { whenItWasSaid } from '../scopes/patient-reach.ts'
import type { Writing } from './change-under-way.ts'
import type { Key } from './keys.ts'

/** Throws where one of these changes touches what its caller has to leave as it was. */
export async function checkKept(
  changed: readonly { readonly writing: Writing; readonly keeps: readonly string[] }[],
  tx: Queryable,
): Promise<void> {
  if (changed.length === 0) return
  for (const { writing } of changed) {
    const { type, method, access } = writing.placed.change
    // A patch that names none of it was told so before.
    if (method === 'PUT' && keptUnseen(access, type).length > 0) throw mustBeSeen(type)
  }
  const former = await contentsBefore(
    changed.map(({ writing }) => writing),
    tx,
  )
  for (const { writing, keeps } of changed) {
    const { key, type } = writing.head
    const [before, after] = [former.get(key), writing.version.content].map(parsed)
    const touched = keeps.filter((path) => !isDeepStrictEqual(elementAt(before, path), elementAt(after, path)))
    if (touched.length > 0) throw mustStay(type, touched)
  }
}

/**
 * What the caller has to leave as it is and may not see: whether a change of it would be one is not told, since whoever
 * sends guesses would be told when one is right. When something was said tells nothing of anybody.
 */
export function keptUnseen(access: AccessConditions, type: string): readonly string[] {
  const bounds = access.of(type, 'u')
  const isSeen = (['r', 's'] as const).some((right) => access.of(type, right) !== 'none')
  if (isSeen || typeof bounds === 'string' || bounds.some(({ keeps }) => keeps === undefined)) return []
  return bounds.flatMap(({ keeps = [] }) => keeps).filter((element) => element !== whenItWasSaid)
}

export const mustBeSeen = (type: string) =>
  forbidden(
    `Your token does not let you change what says whose ${type} this is, nor see it. Send a patch of other elements, or ask for a scope that reads.`,
    { code: 'insufficient_scope' },
  )

async function contentsBefore(writings: readonly Writing[], tx: Queryable): Promise<ReadonlyMap<Key, string | null>> {
  const rows = await tx.many<{ key: Key; content: string | null }>(sql`
    select v.key, v.content from fhir.versions as v
    join unnest(
      ${writings.map(({ head }) => head.key)}::bigint[], ${writings.map(({ head }) => head.version - 1)}::integer[]
    ) as n (key, version) on v.key = n.key and v.version = n.version`)
  return new Map(rows.map(({ key, content }) => [key, content]))
}

const parsed = (content: string | null | undefined): unknown => JSON.parse(content ?? '{}')

function elementAt(resource: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((within, name) => Object(within)[name], resource)
}

const mustStay = (type: string, paths: readonly string[]) =>
  forbidden(
    `Your token does not let you change what says whose ${type} this is, or when that was said: send it as it was.`,
    {
      code: 'insufficient_scope',
      fields: paths.map((path) => ({ path: `${type}.${path}`, message: 'must stay as it is' })),
    },
  )
