import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countingRows } from '../testing/rows-examined.ts'
import { everybodysPractitioner, others, own } from './testing/everybodys-practitioner.ts'
import { namesOf, type SearchWorld } from './testing/search-world.ts'

/** Of a page. */
const includedMax = 60

describe('what everybody refers to', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await everybodysPractitioner({ includedMax })
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

  it.each(['Observation:performer', '*'])(
    'is shown with as many as may be of those who refer to it by %s, without a look at the others',
    async (revinclude) => {
      const { on, examined } = countingRows(world.database)
      const page = await world.page(`Practitioner?_id=dr-amara&_revinclude=${revinclude}`, {}, on)
      expect(new Set(namesOf(page, 'include')).size).toBe(includedMax)
      expect(page.warnings).toHaveLength(1)
      expect(examined()).toBeLessThan(others / 2)
    },
  )

  it('is shown with nobody where it is referred to in other ways, without a look at those', async () => {
    const { on, examined } = countingRows(world.database)
    const page = await world.page('Practitioner?_id=dr-amara&_revinclude=Encounter:practitioner', {}, on)
    expect(namesOf(page, 'include')).toEqual([])
    expect(examined()).toBeLessThan(others / 2)
  })

  it('is shown with each of those who refer to it once, however often they do', async () => {
    const { on, examined } = countingRows(world.database)
    const page = await world.page('Patient?_id=amina&_revinclude=*', {}, on)
    expect(namesOf(page, 'include')).toEqual(own.map((id) => `Observation/${id}`).sort())
    expect(examined()).toBeLessThan(others / 2)
  })
})
