import { describe, expect, it } from 'vitest'
import type { MedicationRequest, ServiceRequest } from '../../../packages/fhir/r4.ts'
import { StagesWorld } from '../testing/stages-world.ts'

const other = 'PID|1||M2^^^CENTRAL^MR||OKONKWO^Adaeze||19510213|F'

/** A hospital that names no authority: its pharmacy and its wards count from one, each for itself. */
async function worldWithPrescription(): Promise<StagesWorld> {
  const world = new StagesWorld()
  await world.send('rde', 'RDE^O11', 'ORC|NW|1001', 'RXE||AMX^Amoxicillin^L|500||mg')
  return world
}

const prescribed = (world: StagesWorld) => world.all<MedicationRequest>('MedicationRequest').map(({ status }) => status)
const ordered = (world: StagesWorld) => world.all<ServiceRequest>('ServiceRequest').map(({ status }) => status)

describe('an order by its number alone', () => {
  it.each([
    ['rde', 'RDE^O11'],
    ['orm', 'ORM^O01'],
  ] as const)('calls off no prescription of another patient: %s', async (channel, type) => {
    const world = await worldWithPrescription()
    expect(await world.send(channel, type, other, 'ORC|CA|1001')).toMatchObject({ status: 'SUCCESS' })
    expect(prescribed(world)).toEqual(['active'])
    expect(await world.send(channel, type, 'ORC|CA|1001')).toMatchObject({ status: 'SUCCESS' })
    expect(prescribed(world)).toEqual(['cancelled'])
  })

  it('calls off the order of its own patient, whoever has a prescription of that number', async () => {
    const world = await worldWithPrescription()
    await world.send('orm', 'ORM^O01', other, 'ORC|NW|1001', 'OBR|1|1001||K^Potassium^L')
    await world.send('orm', 'ORM^O01', other, 'ORC|OC|1001')
    expect([prescribed(world), ordered(world)]).toEqual([['active'], ['revoked']])
  })

  it('is refused where an order and a prescription of its patient have the number', async () => {
    const world = await worldWithPrescription()
    await world.send('orm', 'ORM^O01', 'ORC|NW|1001', 'OBR|1|1001||K^Potassium^L')
    expect(await world.send('orm', 'ORM^O01', 'ORC|OC|1001')).toMatchObject({ status: 'ERROR', code: 'AE' })
    expect([prescribed(world), ordered(world)]).toEqual([['active'], ['active']])
  })

  it('calls off what a record had that was merged into that of its patient', async () => {
    const world = await worldWithPrescription()
    await world.send('adt', 'ADT^A40', other, 'MRG|M1^^^CENTRAL^MR')
    await world.send('rde', 'RDE^O11', other, 'ORC|CA|1001')
    expect(prescribed(world)).toEqual(['cancelled'])
  })
})

it('an order of a record that was merged away is found by its other number', async () => {
  const world = new StagesWorld()
  await world.send('orm', 'ORM^O01', 'ORC|NW||F-1^LAB', 'OBR|1||F-1^LAB|K^Potassium^L')
  await world.send('adt', 'ADT^A40', other, 'MRG|M1^^^CENTRAL^MR')
  await world.send('orm', 'ORM^O01', other, 'ORC|SC|P-1^HIS|F-1^LAB', 'OBR|1|P-1^HIS|F-1^LAB|K^Potassium^L')
  expect(ordered(world)).toEqual(['active'])
})
