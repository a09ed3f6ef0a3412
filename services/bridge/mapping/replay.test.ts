import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Mapped } from './mapped.ts'
import { caseFolder, caseNames } from './testing/case-files.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { SmallStore } from './testing/small-store.ts'

/** Families whose messages say what is, not what changes: told again, they change nothing. */
const families = readdirSync(caseFolder).filter((family) => family !== 'adt')

describe.each(families)('a message of %s that is applied again', (family) => {
  it.each(caseNames(family))('%s leaves what it left, and every key finds one resource', (name) => {
    const mapping = mapInPasses(readFileSync(`${caseFolder}${family}/${name}.hl7`))
    if (mapping.refused !== undefined) return
    const store = new SmallStore()
    store.apply(mapping)
    const once = JSON.stringify([...store.resources])
    store.apply(mapping)
    expect(JSON.stringify([...store.resources])).toBe(once)
    expect(foundTwice(mapping, store)).toEqual([])
  })
})

function foundTwice({ writes }: Mapped, store: SmallStore): string[] {
  const texts = [...store.resources.values()].map((resource) => ({
    type: resource.resourceType,
    identifiers: 'identifier' in resource && Array.isArray(resource.identifier) ? resource.identifier : [],
  }))
  return writes
    .filter(({ key, resource }) => {
      const found = texts.filter(
        ({ type, identifiers }) =>
          type === resource.resourceType &&
          identifiers.some(({ system, value }) => system === key.system && value === key.value),
      )
      return found.length > 1
    })
    .map(({ key, resource }) => `${resource.resourceType} ${key.value}`)
}
