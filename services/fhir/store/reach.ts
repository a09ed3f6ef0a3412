import { forbidden } from '../../../packages/faults/fault.ts'
import type { Queryable } from '../../../packages/sql/queryable.ts'
import { sql } from '../../../packages/sql/sql.ts'
import type { Bound, Right } from '../scopes/access.ts'
import { accessCondition } from './access-condition.ts'
import type { Change } from './change.ts'
import type { Placed, Places, Writing } from './change-under-way.ts'
import { checkKept } from './kept-elements.ts'
import type { Key } from './keys.ts'
import type { WriteDeps } from './write-deps.ts'

/**
 * Of these resources those that their callers may not know of: out of reach, or deleted, since nothing is left to hold
 * against a condition. For such a caller they are not there, whatever else the request asks or states.
 */
export async function hiddenFrom(
  placed: readonly Placed[],
  heads: Places['heads'],
  tx: Queryable,
  deps: Pick<WriteDeps, 'engine'>,
): Promise<ReadonlySet<Key>> {
  const there = placed.filter(({ key }) => heads.get(key) !== undefined)
  const groups = confinedGroups(there.map(({ change, key }) => ({ change, key })))
  const hidden = new Set(groups.flatMap(({ keys }) => keys))
  for (const key of await reachedOf(groups, tx, deps)) hidden.delete(key)
  return hidden
}

/**
 * Whoever is confined may not move a resource out of reach, nor create one beyond it: what was written is held against
 * the condition. Throws, so that the whole transaction is undone.
 */
export async function checkReach(
  writings: readonly Writing[],
  tx: Queryable,
  deps: Pick<WriteDeps, 'engine'>,
): Promise<void> {
  const written = writings.filter(({ head }) => !head.deleted)
  const groups = confinedGroups(written.map(({ placed: { change }, head: { key } }) => ({ change, key })))
  const wanted = groups.reduce((count, { keys }) => count + keys.length, 0)
  if ((await reachedOf(groups, tx, deps)).length !== wanted) throw outOfReach()
  await checkKept(await keeping(written, groups, tx, deps), tx)
}

/** What is within no bound but those that let only some of it be changed. */
async function keeping(
  written: readonly Writing[],
  groups: readonly ConfinedGroup[],
  tx: Queryable,
  deps: Pick<WriteDeps, 'engine'>,
) {
  const kept = new Map<Key, readonly string[]>()
  for (const { type, bounds, keys } of groups) {
    const keeps = bounds.flatMap((bound) => bound.keeps ?? [])
    if (keeps.length === 0) continue
    const free = bounds.filter((bound) => bound.keeps === undefined)
    const reached = free.length === 0 ? [] : await reachedOf([{ type, bounds: free, keys }], tx, deps)
    for (const key of keys) if (!reached.includes(key)) kept.set(key, keeps)
  }
  return written.flatMap((writing) => {
    const keeps = kept.get(writing.head.key)
    return keeps === undefined ? [] : [{ writing, keeps }]
  })
}

/** Whether what was written has to be held against a condition. */
export const isConfined = (writings: readonly Writing[]): boolean =>
  writings.some(({ placed: { change } }) => change.access.of(change.type, rightOf(change)) !== 'unrestricted')

interface ConfinedGroup {
  readonly type: string
  readonly bounds: readonly Bound[]
  readonly keys: Key[]
}

/** Together what is under the same bounds; what is under none needs no look. */
function confinedGroups(asked: readonly { readonly change: Change; readonly key: Key }[]): ConfinedGroup[] {
  const groups: ConfinedGroup[] = []
  for (const { change, key } of asked) {
    const { type, access } = change
    const bounds = access.of(type, rightOf(change))
    if (bounds === 'unrestricted') continue
    if (bounds === 'none') throw outOfReach()
    const group = groups.find((one) => one.type === type && one.bounds === bounds)
    if (group === undefined) groups.push({ type, bounds, keys: [key] })
    else group.keys.push(key)
  }
  return groups
}

async function reachedOf(
  groups: readonly ConfinedGroup[],
  tx: Queryable,
  { engine }: Pick<WriteDeps, 'engine'>,
): Promise<Key[]> {
  const reached: Key[] = []
  for (const { type, bounds, keys } of groups) {
    const rows = await tx.many<{ key: Key }>(sql`
      select r.key from fhir.resources as r
      where r.key = any (${keys}::bigint[]) and not r.deleted and ${accessCondition(bounds, type, engine)}`)
    for (const { key } of rows) reached.push(key)
  }
  return reached
}

/** An update may create: SMART counts that as updating. */
function rightOf({ method }: Change): Right {
  if (method === 'DELETE') return 'd'
  return method === 'POST' ? 'c' : 'u'
}

export const outOfReach = () =>
  forbidden('Your token does not let you change this resource.', { code: 'insufficient_scope' })
