import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { Key, Mapped, Write } from '../mapping/mapped.ts'
import { leftOut } from '../mapping/left-out.ts'
import { isOnlyAmended, mergeWrite, settleReferences } from '../mapping/merge.ts'
import { asFound } from './as-found.ts'
import type { Stored, StoredResource } from './stored.ts'
import { withoutDangling } from './dangling-references.ts'
import { notOfItself } from './not-of-itself.ts'
import { ofMovedVisits, withoutVisit } from './moved-visits.ts'
import { isSameResource } from './same-resource.ts'
import { asAddition, takenBackIn } from './late-addition.ts'
import { isStale, stamped } from './stale.ts'
import { withTakenAway } from './taken-away.ts'
import { withdrawnSince } from './withdrawn-since.ts'

/** What is to be written, and what stays as it is. */
export interface Plan {
  readonly writes: readonly PlannedWrite[]
  /** By `fullUrl`: what the store has already, as `Type/id`, whether it is written or not. */
  readonly references: ReadonlyMap<string, string>
  /** What the store has just as the message says it: it is not written. */
  readonly unchanged: readonly StoredResource[]
  /** What the message only makes sure of, and the store has. */
  readonly ensured: readonly StoredResource[]
  /** What is stored was said later; it stayed. */
  readonly isStale: boolean
}

export interface PlannedWrite {
  /** Of the message's write, to which the other resources refer. */
  readonly fullUrl: string
  readonly key: Key
  /** Without id: a conditional update must not have one. */
  readonly resource: FhirResource
  /** What it replaces. */
  readonly stored?: StoredResource
}

/**
 * Joins a message with what is stored. Pure; what changes nothing is not written.
 * @param spokenOfLater what a later message is known to have said again, as `Type/id` (`said-later.ts`)
 */
export function planWrites(
  { writes, saidAt }: Mapped,
  stored: Stored,
  base: string,
  spokenOfLater: ReadonlySet<string> = new Set(),
): Plan {
  const references = new Map([...stored].map(([fullUrl, one]) => [fullUrl, `${one.resourceType}/${one.id}`]))
  const byUrl = new Map(writes.map((write) => [write.fullUrl, write]))
  const takenBack = takenBackIn(stored)
  const left = leftOut(writes, references)
  const isAnothers = ({ fullUrl }: Write) => stored.anothers?.has(fullUrl) === true
  const isLateFor = (write: Write): boolean => {
    const before = stored.get(write.fullUrl)
    if (before === undefined || left.has(write) || isAnothers(write)) return false
    if (write.broughtBy !== undefined && write.isTold !== true) return false
    return spokenOfLater.has(`${before.resourceType}/${before.id}`) || isStale(saidAt, before, base)
  }
  const lateAlone = new Set(writes.filter(isLateFor).map(({ fullUrl }) => fullUrl))
  const isOfMoved = ofMovedVisits(writes, stored, lateAlone)
  const lateByVisit = writes.filter((write) => isOfMoved(write) && stored.has(write.fullUrl))
  const late = new Set([...lateAlone, ...lateByVisit.map(({ fullUrl }) => fullUrl)])
  const withdrawn = withdrawnSince(writes, stored, late)
  const isNothing = (write: Write) => isOnlyAmended(write) || withdrawn(write) === undefined
  const isDropped = (write: Write) => isAnothers(write) || (!stored.has(write.fullUrl) && isNothing(write))
  const dropped = new Map(writes.filter(isDropped).map((one) => [one.fullUrl, one]))
  const planned = new Map<string, PlannedWrite>()
  const unchanged: StoredResource[] = []
  const ensured: StoredResource[] = []
  for (const sent of writes) {
    if (left.has(sent) || isAnothers(sent)) continue
    const write = withdrawn(sent)
    if (write === undefined) continue
    const before = stored.get(write.fullUrl)
    // Two writes may be about one stored resource: the second goes on with what the first made of it.
    const place = before === undefined ? write.fullUrl : `${before.resourceType}/${before.id}`
    const current = planned.get(place)?.resource ?? before
    const isBrought = write.broughtBy !== undefined && write.isTold !== true
    if (write.broughtBy !== undefined && late.has(write.broughtBy)) continue
    const isLate = late.has(write.fullUrl)
    const found = asFound(isOfMoved(write) ? withoutVisit(write) : write, byUrl, stored)
    const meant = dropped.size === 0 ? found : withoutDangling(found, dropped)
    const settled = notOfItself(settleReferences(meant, references), place)
    if (settled === undefined) continue
    const wanted = isLate && current !== undefined ? asAddition(settled, current, takenBack, base) : settled
    const joined = mergeWrite(wanted, current)
    if (joined === undefined) {
      if (before !== undefined) ensured.push(before)
      continue
    }
    const merged = withTakenAway(joined, wanted, base)
    if (current !== undefined && isSameResource(merged, current)) {
      if (before !== undefined) unchanged.push(before)
      continue
    }
    const isMention = write.mode === 'ensure' || (write.isMention === true && before !== undefined)
    const said = isLate || isBrought || isMention ? undefined : saidAt
    planned.set(place, plannedWrite(write, stamped(merged, said, base), before))
  }
  const isLeft = ({ resourceType, id }: StoredResource) => !planned.has(`${resourceType}/${id}`)
  return {
    writes: [...planned.values()],
    references,
    unchanged: unchanged.filter(isLeft),
    ensured: ensured.filter(isLeft),
    isStale: late.size > 0,
  }
}

function plannedWrite({ fullUrl, key }: Write, merged: FhirResource, stored?: StoredResource): PlannedWrite {
  const { id: _id, meta: { versionId: _version, lastUpdated: _time, ...meta } = {}, ...resource } = merged
  return {
    fullUrl,
    key,
    resource: { ...resource, ...(Object.keys(meta).length === 0 ? {} : { meta }) },
    ...(stored === undefined ? {} : { stored }),
  }
}
