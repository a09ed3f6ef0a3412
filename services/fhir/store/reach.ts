import { forbidden } from '../../../packages/faults/fault.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Bound, Right } from '../scopes/access.ts'
import { accessCondition } from './access-condition.ts'
import type { Writing } from './decide.ts'
import type { Key } from './keys.ts'
import type { WriteDeps } from './write.ts'

/**
 * Whoever is confined may change only what is within reach, and may not move it out of reach: the resource is held
 * against the condition before it is written and again after. Throws, so that the whole transaction is undone.
 */
export async function checkReach(
  writings: readonly Writing[],
  when: 'before' | 'after',
  tx: Queryable,
  deps: Pick<WriteDeps, 'engine'>,
): Promise<void> {
  const asked: { type: string; bounds: readonly Bound[]; keys: Key[] }[] = []
  for (const writing of writings) {
    const { type, access } = writing.placed.change
    const bounds = access.of(type, rightOf(writing))
    if (bounds === 'unrestricted') continue
    if (bounds === 'none') throw outOfReach()
    const isThere = when === 'before' ? writing.before?.deleted === false : !writing.head.deleted
    if (!isThere) continue
    const group = asked.find((one) => one.type === type && one.bounds === bounds)
    if (group === undefined) asked.push({ type, bounds, keys: [writing.head.key] })
    else group.keys.push(writing.head.key)
  }
  for (const { type, bounds, keys } of asked) {
    const { reached } = await tx.one<{ reached: number }>(sql`
      select count(*)::integer as reached from fhir.resources as r
      where r.key = any (${keys}::bigint[]) and ${accessCondition(bounds, type, deps.engine)}`)
    if (reached !== keys.length) throw outOfReach()
  }
}

/** An update may create: SMART counts that as updating. */
function rightOf({ placed: { change } }: Writing): Right {
  if (change.method === 'DELETE') return 'd'
  return change.method === 'POST' ? 'c' : 'u'
}

const outOfReach = () => forbidden('Your token does not let you change this resource.', { code: 'insufficient_scope' })
