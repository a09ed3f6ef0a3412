import type { FhirResource, Identifier } from '../../../packages/fhir/r4.ts'
import { isAmong } from '../mapping/distinct-identifiers.ts'
import type { Write } from '../mapping/mapped.ts'
import { identifiersOf } from './identifiers-of.ts'
import type { FoundByKeys, SameThing } from './same-thing.ts'
import type { StoredResource } from './stored.ts'

/** Who works here, for whom, where and with what: of no patient. */
const directory: ReadonlySet<string> = new Set([
  ...['Practitioner', 'PractitionerRole', 'Organization', 'Location', 'HealthcareService', 'Device'],
])

export const isOfDirectory = ({ resource }: Write): boolean => directory.has(resource.resourceType)

/**
 * Which entry of the directory a write means. Its key decides, then its other numbers. Where several may be meant it is one of
 * them, with a warning: nobody's record is mixed with another's by it, and every message that names a doctor who was entered
 * twice would be refused until somebody has looked.
 */
export function sameEntry(write: Write, { byKey, byOthers }: Pick<FoundByKeys, 'byKey' | 'byOthers'>): SameThing {
  const own = identifiersOf(write.resource)
  const isSame = (one: StoredResource) => !isNumberedOtherwise(one, own)
  const alike = byOthers.map(({ key, found }) => ({ key, found: found.filter(isSame) }))
  const meant = theOneMeant(byKey.length > 0 ? byKey : alike.flatMap(({ found }) => found), own)
  const doubtful = [{ key: write.key, found: byKey }, ...alike]
    .filter(({ found }) => found.some(({ id }) => id !== meant?.id))
    .map(({ key }) => ({ ...key, isDoubtful: true }))
  return { meant, taken: doubtful }
}

/** In use; of those the one with the most of the numbers, then the one of whom most is known. The same one every time. */
function theOneMeant(found: readonly StoredResource[], own: readonly Identifier[]): StoredResource | undefined {
  if (found.length < 2) return found[0]
  const ranked = found.map((one) => {
    const there = identifiersOf(one)
    return { one, ranks: [isInUse(one) ? 1 : 0, own.filter(isAmong(there)).length, there.length] }
  })
  const [best] = ranked.toSorted(
    (left, right) =>
      right.ranks.map((rank, index) => rank - (left.ranks[index] ?? 0)).find((difference) => difference !== 0) ??
      (left.one.id < right.one.id ? -1 : 1),
  )
  return best?.one
}

const isInUse = (one: FhirResource): boolean => !('active' in one) || one.active !== false

/** Whether it has another number of an authority of which the write has one too. Each employer has its own. */
function isNumberedOtherwise(stored: StoredResource, own: readonly Identifier[]): boolean {
  const there = identifiersOf(stored)
  const isOwn = isAmong(own)
  const others = new Set(there.filter((one) => !isOwn(one)).map(authorityOf))
  const isThere = isAmong(there)
  return own.some((one) => !isThere(one) && others.has(authorityOf(one)))
}

const authorityOf = ({ system, type }: Identifier): string => JSON.stringify([system, type?.coding?.[0]?.code])
