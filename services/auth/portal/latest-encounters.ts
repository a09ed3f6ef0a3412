import { hasMore, matchesOf } from '../../../ports/fhir-store/read-resource.ts'
import type { Encounter } from '../../../ports/fhir-store/resources.ts'
import type { Look } from './look.ts'
import { hasBegun, patientOf, type FoundEncounters } from './patient-row.ts'

/** One patient may have more visits than a page holds, all of them later than the others' last one. */
const pageRows = 100
/** Each further page tells of at least one more patient, mostly of all; beyond that a list says that it does not know. */
const pagesMax = 3

/** The latest visits: of all patients on one page, then of those of whom it had none. */
export async function latestEncounters(
  ids: readonly string[],
  { store, base, signal }: Look,
): Promise<FoundEncounters> {
  const encounters: Encounter[] = []
  let open = ids
  for (let page = 0; page < pagesMax && open.length > 0; page++) {
    const search = { patient: open.join(','), _sort: '-date', _count: String(pageRows) }
    const bundle = await store.searchBundle('Encounter', search, { signal })
    // Sound: they were asked for by this type.
    const found = matchesOf(bundle) as Encounter[]
    encounters.push(...found)
    if (!hasMore(bundle)) return { encounters, isWhole: true }
    const seen = new Set(found.filter(hasBegun).map(({ subject }) => patientOf(subject, base)))
    open = open.filter((id) => !seen.has(id))
  }
  return { encounters, isWhole: open.length === 0 }
}
