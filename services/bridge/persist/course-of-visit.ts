import type { Encounter, FhirResource } from '../../../packages/fhir/r4.ts'
import { compact } from '../mapping/compact.ts'
import type { Node } from '../mapping/element-path.ts'
import type { Write } from '../mapping/mapped.ts'
import type { SaidLater } from './late-writes.ts'
import { ownTime, withOwnExtensions } from './own-extensions.ts'
import { hasTime, saidAtOf } from './stale.ts'

/**
 * What happens to a visit, and where: most of what is said of a visit (A08) speaks of neither. So each is as old as what was last
 * said of itself, and an event that comes late has happened if nothing newer spoke of it.
 */
type Part = 'status' | 'location'

export type Parts = ReadonlySet<Part>

const parts: readonly Part[] = ['status', 'location']

/** Beside the time at which something was last said of the visit, where that was not said of this part. */
const partUrl = (part: Part, base: string): string => `${base}/StructureDefinition/${part}-said-at`

/** Nobody has said it yet: the store has what R4 demands. */
const never = '0001-01-01T00:00:00Z'

interface Late {
  readonly saidAt: string | undefined
  readonly later: SaidLater
  /** Where the visit is stored, as `Type/id`. */
  readonly place: string
}

/**
 * Of what a late message says of a visit, what nothing newer has spoken of. What a later message has only said again is not
 * stored: of that, its event tells whether it said how the visit stands, and where it is, it may have said.
 */
export function stillToSay(write: Write, stored: FhirResource, { saidAt, later, place }: Late, base: string): Parts {
  if (stored.resourceType !== 'Encounter' || saidAt === undefined) return new Set()
  const isSaidAgain = { status: later.statusSaid, location: later.spokenOf }
  const isNewer = (part: Part) => {
    const before = partSaidAt(part, stored, base)
    return hasTime(before) && Date.parse(before) < Date.parse(saidAt)
  }
  return new Set(parts.filter((part) => says(write, part) && !isSaidAgain[part].has(place) && isNewer(part)))
}

/** The elements that tell it. When it ended and where to is told with the status. */
export function courseOf(said: Node, told: Parts): Node {
  const { status, period, hospitalization, location } = said as Partial<Encounter>
  const { dischargeDisposition, destination } = hospitalization ?? {}
  const ofStatus = {
    status,
    period: compact({ end: period?.end }),
    hospitalization: compact({ dischargeDisposition, destination }),
  }
  return {
    ...(told.has('status') && compact<Node>(ofStatus)),
    ...(told.has('location') && compact<Node>({ location })),
  }
}

interface Said {
  readonly write: Write
  readonly saidAt: string | undefined
  /** It is the last that was said of the visit. */
  readonly isLast: boolean
  /** What it tells all the same. */
  readonly told: Parts
}

/** The visit with the time of each part of which something else was said since. @param before as it was stored */
export function withPartTimes(
  visit: FhirResource,
  before: FhirResource | undefined,
  { write, saidAt, isLast, told }: Said,
  base: string,
): FhirResource {
  if (visit.resourceType !== 'Encounter' || saidAt === undefined) return visit
  const times = parts.flatMap((part) => {
    if (isLast && says(write, part)) return []
    const since = before === undefined ? never : partSaidAt(part, before, base)
    const valueDateTime = told.has(part) ? saidAt : isLast ? since : ownTime(visit, partUrl(part, base))
    return valueDateTime === undefined ? [] : [{ url: partUrl(part, base), valueDateTime }]
  })
  const urls = parts.map((part) => partUrl(part, base))
  return withOwnExtensions(visit, urls, times)
}

const partSaidAt = (part: Part, visit: FhirResource, base: string): string =>
  ownTime(visit, partUrl(part, base)) ?? saidAtOf(visit, base) ?? never

function says({ resource, removes }: Write, part: Part): boolean {
  const { status, location } = resource as Partial<Encounter>
  return part === 'status'
    ? status !== undefined
    : location !== undefined || removes.some(({ element }) => element === part)
}
