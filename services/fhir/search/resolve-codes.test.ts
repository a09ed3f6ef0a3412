import { expect, it } from 'vitest'
import { loadDefinitions } from '../../../packages/fhir/definitions.ts'
import { searchLimits } from './parse/parse-context.ts'
import { parseSearch } from './parse/parse-search.ts'
import { resolveCodes } from './resolve-codes.ts'
import { requiredValueSets } from './testing/required-value-sets.ts'

it('a search asks for thirty value sets at most, each once', async () => {
  const definitions = await loadDefinitions()
  const context = { definitions, ownBases: [], now: new Date(0), limits: searchLimits }
  const asked: string[] = []
  const valueSets = {
    ...requiredValueSets(definitions),
    codesIn: async (url: string) => {
      asked.push(url)
      return []
    },
  }
  const resolve = (count: number) => {
    const urls = Array.from({ length: count }, (_each, at) => `urn:${at}`).join(',')
    const pairs = [
      ['code:in', urls],
      ['code:not-in', urls],
    ] as const
    return resolveCodes(parseSearch(pairs, { type: 'Observation', strict: true }, context), valueSets)
  }
  await resolve(30)
  expect(asked).toHaveLength(30)
  await expect(resolve(31)).rejects.toMatchObject({
    kind: 'incorrect',
    message: expect.stringContaining('more than 30 value sets or hierarchies'),
  })
})
