import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccessConditions } from '../scopes/access.ts'
import { countingRows } from '../testing/rows-examined.ts'
import { everybodysPractitioner, others, own } from './testing/everybodys-practitioner.ts'
import { namesOf, type SearchWorld } from './testing/search-world.ts'

const ofAmina: AccessConditions = {
  of: (type) =>
    type === 'Patient' ? [{ id: 'amina' }] : type === 'Observation' ? [{ patient: 'amina' }] : 'unrestricted',
}

describe('a chain through what everybody refers to', () => {
  let world: SearchWorld
  beforeAll(async () => {
    world = await everybodysPractitioner()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const asked = async (search: string, access?: AccessConditions) => {
    const { on, examined } = countingRows(world.database)
    const page = await world.page(search, access === undefined ? {} : { access }, on)
    return { found: namesOf(page, 'match'), examined: examined() }
  }

  it.each([
    ['Observation?performer:Practitioner.name=Amara', own.length],
    ['Observation?performer.name=Amara', own.length],
    ['Observation?performer:Practitioner.name=Amara&_sort=-date', own.length],
    ['Observation?performer:Practitioner.name=Nobody', 0],
    ['Observation?patient.organization.name=Clinic', own.length],
    ['Patient?organization.name=Clinic', 1],
    ['Patient?_has:Observation:patient:performer:Practitioner.name=Amara', 1],
  ])('begins with the record of the one patient whom the caller may see: %s', async (search, count) => {
    const { found, examined } = await asked(search, ofAmina)
    expect(found).toHaveLength(count)
    expect(examined).toBeLessThan(others / 2)
  })

  it.each([
    ['Observation?patient=amina&performer:Practitioner.name=Amara', own.length],
    ['Observation?subject=Patient/amina&performer.name=Amara', own.length],
    ['Observation?_id=own-1&performer.name=Amara', 1],
    ['Patient?_id=amina&_has:Observation:patient:performer:Practitioner.name=Amara', 1],
  ])('begins with the record of the patient who is asked for: %s', async (search, count) => {
    const { found, examined } = await asked(search)
    expect(found).toHaveLength(count)
    expect(examined).toBeLessThan(others / 2)
  })
})
