import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patientIndexInProcess } from '../patient-index/in-process.ts'
import { Facilities } from '../registry/facilities.ts'
import { fhirWorld, type FhirWorld } from '../testing/fhir-world.ts'
import { demoPatient, demoPeople } from './people.ts'
import { seedDemo } from './seed-demo.ts'

let world: FhirWorld
const progress: string[] = []
let written = 0
beforeAll(async () => {
  world = await fhirWorld()
  written = await seedDemo(world.deps, (done, all) => void progress.push(`${done}/${all}`))
})
afterAll(() => world[Symbol.asyncDispose]())

describe('the seed of the demo', () => {
  it('writes everything once, with progress', async () => {
    expect(written).toBeGreaterThan(500)
    expect(progress.at(-1)).toBe(`${written}/${written}`)
    expect(await seedDemo(world.deps)).toBe(0)
    expect((await world.call('GET', '/Patient?_summary=count')).body.total).toBe(20)
  })

  it('brings back what was removed and leaves alone what was changed', async () => {
    await world.call('DELETE', '/Immunization/amina-diallo-bcg-1')
    const { body } = await world.call('GET', '/Patient/noa-levi')
    await world.call('PUT', '/Patient/noa-levi', { body: { ...body, active: false } })
    expect(await seedDemo(world.deps)).toBe(1)
    expect((await world.call('GET', '/Patient/noa-levi')).body['active']).toBe(false)
  })

  it('has both facilities in the registry', async () => {
    const found = await new Facilities({ registersOnFirstSight: false }, world.deps).find(['CENTRAL', 'LAKESIDE'])
    expect([...found.values()].map(({ organization }) => organization)).toEqual([
      'Organization/central-hospital',
      'Organization/lakeside-clinic',
    ])
    expect(found.get('CENTRAL')?.namespaces.get('CENTRAL')).toBe('urn:corridor:demo:central-hospital:mrn')
  })

  it('has nobody twice: each patient is found as exactly one person', async () => {
    const index = patientIndexInProcess(world.deps)
    const resolutions = await index.resolve(
      demoPeople.map((person, number) => ({ ...demoPatient(person, number), identifier: [] })),
    )
    expect(resolutions.map(({ goldenId }) => goldenId)).toEqual(demoPeople.map(({ id }) => id))
  })
})
