import { describe, expect, it } from 'vitest'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { StagesWorld } from '../testing/stages-world.ts'

const national = 'N9^^^NAT&urn:nat:id&URI^NI'
const pid = (numbers: string, family = 'RAMGOOLAM') => `PID|1||${numbers}||${family}^Amina||19800115|F|||9 Long St`
const own = (number: string) => `${number}^^^CENTRAL^MR~${national}`

/** Two records with one national number, the second as the first of another family name is: another golden record. */
async function twoRecords({
  family = 'RAMGOOLAM',
  managedBy = 'central',
  isOwnStore = true,
  settings = {},
} = {}): Promise<StagesWorld> {
  const world = new StagesWorld({}, { isOwnStore, settings })
  for (const [number, name] of [
    ['M1', 'RAMGOOLAM'],
    ['M2', family],
  ] as const)
    expect(await world.send('adt', 'ADT^A28', pid(`${number}^^^CENTRAL^MR`, name))).toMatchObject({ status: 'SUCCESS' })
  for (const record of world.all<Patient & { id: string }>('Patient')) {
    const identifier = [...(record.identifier ?? []), { system: 'urn:nat:id', value: 'N9' }]
    const isFirst = identifier[0]?.value === 'M1'
    const managingOrganization = { reference: `Organization/${isFirst ? managedBy : 'central'}` }
    await world.store.update({ ...record, identifier, managingOrganization })
  }
  return world
}

const births = (world: StagesWorld) => world.all<Patient>('Patient').map(({ birthDate }) => birthDate)
const corrected = pid(national).replace('19800115', '19800116')

describe('a message that names no more than the number of several records', () => {
  it.each([true, false])(
    'is of the one that its sender has, where all are of one person (own store: %s)',
    async (isOwnStore) => {
      const world = await twoRecords({ managedBy: 'lakeside', isOwnStore })
      expect(await world.send('adt', 'ADT^A31', corrected)).toMatchObject({ status: 'SUCCESS' })
      expect(births(world)).toEqual(['1980-01-15', '1980-01-16'])
    },
  )

  it('is of the first where its sender has none, or several', async () => {
    const world = await twoRecords()
    expect(await world.send('adt', 'ADT^A31', corrected)).toMatchObject({ status: 'SUCCESS' })
    expect(births(world)).toEqual(['1980-01-16', '1980-01-15'])
  })

  it('is refused where they are of two people, or where one of them would end', async () => {
    const two = await twoRecords({ family: 'OKONKWO' })
    expect(await two.send('adt', 'ADT^A31', corrected)).toMatchObject({ code: 'AE', errorCode: 'STORE_REJECTED' })
    const one = await twoRecords()
    const merge = [pid('M3^^^CENTRAL^MR'), `MRG|${national}`]
    for (const answer of [await one.send('adt', 'ADT^A29', corrected), await one.send('adt', 'ADT^A40', ...merge)])
      expect(answer).toMatchObject({ code: 'AE', errorCode: 'STORE_REJECTED' })
  })
})

it('a message is of the record that has its other number, where patients are found by the national one', async () => {
  const world = await twoRecords({ settings: { nationalIdSystem: 'urn:nat:id' } })
  const message = pid(own('M2')).replace('19800115', '19800116')
  expect(await world.send('adt', 'ADT^A31', message)).toMatchObject({ status: 'SUCCESS', warnings: {} })
  expect(births(world)).toEqual(['1980-01-15', '1980-01-16'])
})
