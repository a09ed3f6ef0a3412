import type { FhirResource } from '../../../packages/fhir/r4.ts'
import { isNumberOfNobody } from '../../../ports/patient-index/number-kinds.ts'
import type { Key, Mapped, Write } from '../mapping/mapped.ts'
import { leftOut } from '../mapping/left-out.ts'
import { isOnlyAmended, mergeWrite, settleReferences } from '../mapping/merge.ts'
import { nameUuid } from '../mapping/name-uuid.ts'
import { formerNationalNumbers } from '../mapping/national-numbers.ts'
import { asFound } from './as-found.ts'
import { withoutDangling } from './dangling-references.ts'
import { withDeathTime, withoutOlderDeath } from './death-said-at.ts'
import { asAddition, takenBackIn } from './late-addition.ts'
import { type Parts, stillToSay, withPartTimes } from './course-of-visit.ts'
import { isOnlyBrought, lateWrites, type SaidLater } from './late-writes.ts'
import { withoutVisit } from './moved-visits.ts'
import { notOfItself } from './not-of-itself.ts'
import { isSameResource } from './same-resource.ts'
import { isStale, stamped } from './stale.ts'
import { changedStandings } from './replaced-documents.ts'
import { referenceTo, type Stored, type StoredResource } from './stored.ts'
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
  /** How many national numbers of patients others have taken the place of. */
  readonly formerNumbers: number
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
 */
export function planWrites(mapped: Mapped, stored: Stored, base: string, later: SaidLater = nothingLater): Plan {
  const { writes, saidAt } = mapped
  const references = new Map([...stored].map(([fullUrl, one]) => [fullUrl, referenceTo(one)]))
  const left = leftOut(writes, references)
  const isAnothers = ({ fullUrl }: Write) => stored.anothers?.has(fullUrl) === true
  const isMeant = (write: Write) => !left.has(write) && !isAnothers(write)
  const { late, isOfMoved } = lateWrites(mapped, stored, { isMeant, later, base })
  const withdrawn = withdrawnSince(writes, stored, late)
  const isNothing = (write: Write) => isOnlyAmended(write) || withdrawn(write) === undefined
  const isDropped = (write: Write) => isAnothers(write) || (!stored.has(write.fullUrl) && isNothing(write))
  const dropped = new Map(writes.filter(isDropped).map((one) => [one.fullUrl, one]))
  const byUrl = new Map(writes.map((write) => [write.fullUrl, write]))
  const takenBack = takenBackIn(stored)

  /** Undefined where nothing is left to say. */
  const settled = (write: Write, place: string): Write | undefined => {
    const found = asFound(isOfMoved(write) ? withoutVisit(write) : write, byUrl, stored)
    const meant = dropped.size === 0 ? found : withoutDangling(found, dropped)
    return notOfItself(settleReferences(meant, references), place)
  }

  const planned = new Map<string, PlannedWrite>()
  const unchanged: StoredResource[] = []
  const ensured: StoredResource[] = []
  let formerNumbers = 0
  const documents = { replacing: new Set<string>(), late: new Set<string>(), base }
  for (const sent of writes.filter(isMeant)) {
    const write = withdrawn(sent)
    if (write === undefined || late.has(write.broughtBy ?? '')) continue
    const before = stored.get(write.fullUrl)
    const place = before === undefined ? write.fullUrl : referenceTo(before)
    // Two writes may be about one stored resource: the second goes on with what the first made of it.
    const current = planned.get(place)?.resource ?? before
    const whole = settled(write, place)
    if (whole === undefined) continue
    const said = withoutOlderDeath(whole, current, { saidAt, later, place }, base)
    const isLate = late.has(write.fullUrl)
    if ('relatesTo' in said.resource) documents.replacing.add(place)
    if (isLate) documents.late.add(place)
    const told = isLate && current !== undefined ? stillToSay(said, current, { saidAt, later, place }, base) : nothing
    const wanted = isLate && current !== undefined ? asAddition(said, current, { takenBack, told, base }) : said
    if (current !== undefined) formerNumbers += numbersLost(wanted, current)
    const joined = mergeWrite(wanted, current)
    const merged = joined && withTakenAway(joined, wanted, base)
    if (merged === undefined) {
      if (before !== undefined) ensured.push(before)
    } else if (current !== undefined && isSameResource(merged, current)) {
      if (before !== undefined) unchanged.push(before)
    } else {
      // A late merge holds, and what was said later was said later all the same.
      const isOlder = before !== undefined && isStale(saidAt, before, base)
      const isSaid = !isLate && !isOlder && !isOnlyBrought(write) && !isOnlyMentioned(write, before)
      const timed = withPartTimes(
        stamped(merged, isSaid ? saidAt : undefined, base),
        current,
        { write, saidAt, isLast: isSaid, told },
        base,
      )
      const isInTime = !isLate && !isOlder
      const dated = isInTime ? withDeathTime(timed, { write: said, saidAt, isLast: isSaid }, base) : timed
      planned.set(place, plannedWrite(write, dated, before))
    }
  }
  const mayReplace = writes.some(({ replacementKey }) => replacementKey !== undefined)
  for (const { place, resource, before } of mayReplace ? changedStandings(planned, stored, documents) : []) {
    const write = planned.get(place) ?? unasked(place)
    planned.set(place, plannedWrite(write, resource, before))
  }
  const isLeft = (one: StoredResource) => !planned.has(referenceTo(one))
  return {
    writes: [...planned.values()],
    references,
    unchanged: unchanged.filter(isLeft),
    ensured: ensured.filter(isLeft),
    isStale: late.size > 0,
    formerNumbers,
  }
}

/** Whatever takes the place of none is no loss. */
const numbersLost = (write: Write, current: FhirResource): number =>
  formerNationalNumbers(write, current).filter((one) => !isNumberOfNobody(one)).length

const nothing: Parts = new Set()
const nothingLater: SaidLater = { spokenOf: new Set(), statusSaid: new Set(), deathSaid: new Set() }

const isOnlyMentioned = (write: Write, before: StoredResource | undefined): boolean =>
  write.mode === 'ensure' || (write.isMention === true && before !== undefined)

/** Of what is written because of what the message does to something else: it is found by its id. */
const unasked = (place: string): Pick<Write, 'fullUrl' | 'key'> => ({
  fullUrl: `urn:uuid:${nameUuid(place)}`,
  key: { parameter: 'identifier', system: '', value: '' },
})

function plannedWrite(
  { fullUrl, key }: Pick<Write, 'fullUrl' | 'key'>,
  merged: FhirResource,
  stored?: StoredResource,
): PlannedWrite {
  const { id: _id, meta: { versionId: _version, lastUpdated: _time, ...meta } = {}, ...resource } = merged
  return {
    fullUrl,
    key,
    resource: { ...resource, ...(Object.keys(meta).length === 0 ? {} : { meta }) },
    ...(stored === undefined ? {} : { stored }),
  }
}
