import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countingRows } from '../testing/rows-examined.ts'
import { everybodysPractitioner, others, own } from './testing/everybodys-practitioner.ts'
import { namesOf, type SearchWorld } from './testing/search-world.ts'

describe('what everybody refers to', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await everybodysPractitioner()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it.each(['Observation:performer', 'Observation:performer:Practitioner'])(
    'is included by %s without a look at who else refers to it',
    async (include) => {
      const { on, examined } = countingRows(world.database)
      const page = await world.page(`Observation?patient=amina&_include=${include}`, {}, on)
      expect(namesOf(page, 'match')).toHaveLength(own.length)
      expect(namesOf(page, 'include')).toContain('Practitioner/dr-amara')
      expect(examined()).toBeLessThan(others / 2)
    },
  )
})
