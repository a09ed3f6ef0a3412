import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bug, unreachable } from '../../../packages/faults/fault.ts'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import { createExtract } from '../../../packages/fhir/search/extract.ts'
import type { IndexEntry, IndexValue } from '../../../packages/fhir/search/index-value.ts'
import { officialExamples } from '../../../packages/fhir/test/official-examples.ts'
import { withoutGiven } from '../store/content.ts'
import { escape } from './parse/escapes.ts'
import { queryText } from './parse/query-text.ts'
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
      for (const { parameter, values } of spread(extract(withoutGiven(resource)))) {
        const [value] = values
        if (value === undefined) continue
        const query = queryText([[searchName(parameter.code, value), textOf(value)]])
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

/** At most four, from the first to the last of them, so that every kind has its turn. */
function spread(entries: readonly IndexEntry[]): IndexEntry[] {
  const searchable = entries.filter(({ values: [first] }) => first !== undefined && isSearchable(first))
  if (searchable.length <= 4) return searchable
  return [0, 1, 2, 3].flatMap((step) => searchable[Math.round((step * (searchable.length - 1)) / 3)] ?? [])
}

const isSearchable = (value: IndexValue) =>
  value.kind !== 'reference' || (value.id ?? value.url ?? value.identifierValue) !== undefined

function searchName(code: string, value: IndexValue): string {
  if (value.kind === 'token' && value.code === undefined) return `${code}:text`
  if (value.kind === 'reference' && value.id === undefined && value.url === undefined) return `${code}:identifier`
  return code
}

/** What somebody would type who looks for this value. */
function textOf(value: IndexValue): string {
  switch (value.kind) {
    case 'token':
      if (value.code === undefined) return escape(value.text ?? '')
      return `${escape(value.system ?? '')}|${escape(value.code)}`
    case 'string':
      return escape(value.text)
    case 'date':
      return Number.isFinite(value.low) ? `ge${isoOf(value.low)}` : `le${isoOf(value.high)}`
    case 'number':
      return numberText(value)
    case 'quantity':
      return `${numberText(value)}|${escape(value.system ?? '')}|${escape(value.code ?? value.unit ?? '')}`
    case 'uri':
      return escape(value.uri)
    case 'reference':
      if (value.url !== undefined) return escape(value.url)
      return value.id === undefined ? identifierText(value) : `${value.type}/${value.id}`
    case 'composite':
      return value.parts.map(textOf).join('$')
    default:
      return unreachable(value)
  }
}

const isoOf = (ms: number) => new Date(ms).toISOString()

const identifierText = ({ identifierSystem = '', identifierValue }: Extract<IndexValue, { kind: 'reference' }>) => {
  if (identifierValue === undefined) throw bug('the reference has nothing to be found by')
  return `${escape(identifierSystem)}|${escape(identifierValue)}`
}

function numberText({ value, low, high }: { value: number | undefined; low: number; high: number }): string {
  if (value !== undefined) return String(value)
  return Number.isFinite(low) ? `ge${low}` : `le${high}`
}
