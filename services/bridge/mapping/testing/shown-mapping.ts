import type { ItemRemoval, Mapped, Mapping } from '../mapped.ts'
import { conditionalUrl } from '../transaction.ts'

/** A mapping as the case files show it: references by type and number, keys as the addresses of conditional updates. */
export function shownMapping(mapping: Mapping): unknown {
  if (mapping.refused !== undefined) return JSON.parse(JSON.stringify(mapping))
  const names = namesOf(mapping)
  const { writes, main, patients, saidAt, needs, warnings } = mapping
  const shown = {
    main,
    patients,
    saidAt,
    writes: writes.map(
      ({ fullUrl, key, mode, resource, defaults, deletes, removes, unlessStored, toldIn, leavesTrace }) => ({
        fullUrl,
        url: decodeURIComponent(conditionalUrl(resource.resourceType, key)),
        mode,
        resource,
        defaults: nonEmpty(defaults),
        deletes: nonEmpty(deletes),
        removes: nonEmpty(removes.map(shownRemoval)),
        unlessStored,
        toldIn,
        leavesTrace,
      }),
    ),
    needs: nonEmpty(needs),
    warnings: nonEmpty(warnings),
  }
  const text = JSON.stringify(shown)
  return JSON.parse(text.replaceAll(/urn:uuid:[0-9a-f-]{36}/g, (url) => names.get(url) ?? url))
}

/** With null for a part that must not be there, which JSON would not show. */
const shownRemoval = ({ where, ...removal }: ItemRemoval) => ({
  ...removal,
  where: Object.fromEntries(Object.entries(where).map(([path, value]) => [path, value ?? null])),
})

function namesOf({ writes }: Mapped): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  return new Map(
    writes.map(({ fullUrl, resource: { resourceType } }) => {
      const count = (counts.get(resourceType) ?? 0) + 1
      counts.set(resourceType, count)
      return [fullUrl, `{${resourceType} ${count}}`]
    }),
  )
}

const nonEmpty = <T extends object>(value: T): T | undefined => (Object.keys(value).length === 0 ? undefined : value)
