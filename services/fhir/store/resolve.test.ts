import { expect, it } from 'vitest'
import { fullAccess } from '../scopes/access.ts'
import { searchWorld } from '../search/testing/search-world.ts'
import { criteriaOf } from './criteria.ts'
import { identifiedBy } from './resolve.ts'

it('of an identifier that many bear no more are brought than are asked for, of each question', async () => {
  await using world = await searchWorld()
  const bearer = (id: string, value: string) => ({
    resourceType: 'Patient',
    id,
    identifier: [{ system: 'urn:s', value }],
  })
  await world.put(...['a', 'b', 'c', 'd', 'gone'].map((id) => bearer(id, 'shared')), bearer('e', 'own'))
  await world.remove('Patient', 'gone')
  const found = async (limit: number, ...queries: readonly string[]) => {
    const questions = queries.map((query) => ({ criteria: criteriaOf('Patient', query), access: fullAccess }))
    const matches = await identifiedBy(questions, limit, world.engine, world.database)
    return matches.map((each) => each.length)
  }
  const queries = [
    'identifier=urn:s|shared',
    'identifier=urn:s|own',
    'identifier=shared',
    'identifier=urn:s|no',
    '_id=a',
  ]
  expect(await found(2, ...queries)).toEqual([2, 1, 2, 0, 1])
  expect(await found(100, ...queries)).toEqual([4, 1, 4, 0, 1])
})
