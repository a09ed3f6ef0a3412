import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { Mapped, Write } from '../mapping/mapped.ts'
import { survivorReference } from '../mapping/patient-links.ts'
import { ofMovedVisits } from './moved-visits.ts'
import { isStale } from './stale.ts'
import { referenceTo, type Stored, type StoredResource } from './stored.ts'

/** What a message says too late: of what is stored, something was said since. */
export interface LateWrites {
  /** By `fullUrl`. */
  readonly late: ReadonlySet<string>
  /** Whether a write is of a visit that became another patient's since. */
  readonly isOfMoved: (write: Write) => boolean
}

interface SaidSince {
  /** Whether a write is about the resource that was found for it. */
  readonly isMeant: (write: Write) => boolean
  readonly later: SaidLater
  readonly base: string
}

/** What later messages are known to have said again, as `Type/id` (`said-later.ts`). */
export interface SaidLater {
  readonly spokenOf: ReadonlySet<string>
  /** Of these, visits by an event that says how they stand. */
  readonly statusSaid: ReadonlySet<string>
  /** Patients of whom one of them has said whether they have died, and nothing else. */
  readonly deathSaid: ReadonlySet<string>
}

export function lateWrites({ writes, saidAt }: Mapped, stored: Stored, since: SaidSince): LateWrites {
  const { isMeant, later, base } = since
  const isSaidSince = (before: StoredResource) =>
    later.spokenOf.has(referenceTo(before)) || isStale(saidAt, before, base)
  /** Where the merge that it turns round was said later, that one counts. */
  const isUndone = ({ resource }: Write) => {
    const into = survivorReference(resource) ?? ''
    const survivor = stored.standsAgain?.has(into) === true ? stored.get(into) : undefined
    return survivor !== undefined && isSaidSince(survivor)
  }
  const isLate = (write: Write): boolean => {
    const before = stored.get(write.fullUrl)
    if (before === undefined || !isMeant(write) || isOnlyBrought(write)) return false
    return isSaidSince(before) && (!isFirstMerge(write, before) || isUndone(write))
  }
  const alone = new Set(writes.filter(isLate).map(({ fullUrl }) => fullUrl))
  const isOfMoved = ofMovedVisits(writes, stored, alone)
  const byVisit = writes.filter((write) => isOfMoved(write) && stored.has(write.fullUrl))
  return { isOfMoved, late: new Set([...alone, ...byVisit.map(({ fullUrl }) => fullUrl)]) }
}

/**
 * A merge (A40) holds whatever was said of the record since, by somebody who had not heard of it: half of it would leave two in use of
 * whom the survivor says that they are one. Only a merge that was said later counts more.
 */
function isFirstMerge({ resource }: Write, before: FhirResource): boolean {
  if (survivorReference(resource) === undefined || before.resourceType !== 'Patient') return false
  return survivorReference(before) === undefined
}

/** It goes with another write, and the message says nothing of it. */
export const isOnlyBrought = ({ broughtBy, isTold }: Write): boolean => broughtBy !== undefined && isTold !== true
