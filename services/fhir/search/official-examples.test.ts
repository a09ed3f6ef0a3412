import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import { createExtract } from '../../../packages/fhir/search/extract.ts'
import { officialExamples } from '../../../packages/fhir/testing/official-examples.ts'
import { withoutGiven } from '../store/content.ts'
import { queriesFor } from './testing/queries-for.ts'
import { searchWorld, type SearchWorld, type TestResource } from './testing/search-world.ts'

const perType = 2
const bytesMax = 100_000

/** The first examples of every type, by the names of their files. */
function sampleOf(resourceTypes: ReadonlySet<string>): TestResource[] {
  const counts = new Map<string, number>()
  const sample: TestResource[] = []
  for (const example of officialExamples()) {
    const [type = ''] = example.name.split('-')
    const count = counts.get(type) ?? 0
    if (count >= perType || !resourceTypes.has(type) || example.text.length > bytesMax) continue
    counts.set(type, count + 1)
    // Sound: the official package holds resources with ids.
    sample.push(parseJson(example.text) as TestResource)
  }
  return sample
}

describe('an official example', () => {
  let world: SearchWorld
  let sample: TestResource[]
  beforeAll(async () => {
    world = await searchWorld()
    sample = sampleOf(world.definitions.resourceTypes)
    await world.put(...sample)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it('is found by three of its search parameters and more', async () => {
    const extract = createExtract(world.definitions)
    const lost: string[] = []
    let searches = 0
    for (const resource of sample) {
      const name = `${resource.resourceType}/${resource.id}`
      for (const query of queriesFor(extract(withoutGiven(resource)))) {
        const found = await world.find(`${resource.resourceType}?${query}&_count=1000`)
        if (!found.includes(name)) lost.push(`${name} by ${query}`)
        searches++
      }
    }
    expect(lost).toEqual([])
    expect(sample.length).toBeGreaterThan(200)
    expect(searches).toBeGreaterThan(sample.length * 2.5)
  })
})
