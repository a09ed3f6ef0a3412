import { expect, it } from 'vitest'
import type { Patient, RelatedPerson } from '../../../packages/fhir/r4.ts'
import { derivedKey } from '../mapping/drafted-keys.ts'
import type { Draft } from '../mapping/draft.ts'
import { StagesWorld } from '../testing/stages-world.ts'

const wife = (place: number) => `NK1|${place}|DIOP^Awa|SPO`
const child = (place: number) => `NK1|${place}|DIOP^Nell|CHD`
const updated = (second: number) => ['adt', 'ADT^A08', `EVN||202603041000${second}+0000`] as const

const kin = (world: StagesWorld) =>
  world
    .all<RelatedPerson>('RelatedPerson')
    .map(({ id, name, active }) => [id, name?.[0]?.given?.[0], active !== false] as const)

it('next of kin are who they were when they are counted otherwise, and out of use when they are left out', async () => {
  const world = new StagesWorld()
  await world.send(...updated(10), wife(1), child(2))
  const [one = [], other = []] = kin(world)
  await world.send(...updated(11), child(1))
  expect(kin(world)).toEqual([
    [one[0], 'Awa', false],
    [other[0], 'Nell', true],
  ])
  await world.send(...updated(12), wife(1), child(2))
  expect(kin(world)).toEqual([
    [one[0], 'Awa', true],
    [other[0], 'Nell', true],
  ])
})

it('none are left where a message says that there are none, and all where it says nothing of them', async () => {
  const world = new StagesWorld()
  await world.send(...updated(10), wife(1), child(2))
  await world.send(...updated(11))
  expect(kin(world).map(([, , isActive]) => isActive)).toEqual([true, true])
  await world.send(...updated(12), 'NK1|1|""')
  expect(kin(world).map(([, , isActive]) => isActive)).toEqual([false, false])
  expect(world.all<Patient>('Patient')[0]).not.toHaveProperty('contact')
})

it('who was left out stays so when an older message comes late', async () => {
  const world = new StagesWorld()
  await world.send(...updated(10), wife(1), child(2))
  await world.send(...updated(30), child(1))
  await world.send(...updated(20), wife(1), child(2))
  expect(kin(world).map(([, name, isActive]) => [name, isActive])).toEqual([
    ['Awa', false],
    ['Nell', true],
  ])
})

it('who was left out is out of use whatever the contacts of the patient were made to say', async () => {
  const world = new StagesWorld()
  const contacts = async (change: (all: NonNullable<Patient['contact']>) => NonNullable<Patient['contact']>) => {
    const [patient] = world.all<Patient>('Patient')
    if (patient?.id === undefined) throw new Error('there is no patient')
    await world.store.update({ ...patient, id: patient.id, contact: change(patient.contact ?? []) })
  }
  await world.send(...updated(10), wife(1), child(2))
  // The wife takes herself off the list, so that nobody has gone when the hospital leaves her out.
  await contacts((all) => all.filter(({ name }) => name?.given?.[0] !== 'Awa'))
  await world.send(...updated(30), 'PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina^May||19800115|F', child(1))
  const left = [
    ['Awa', false],
    ['Nell', true],
  ]
  const shown = () => kin(world).map(([, name, isActive]) => [name, isActive])
  expect(shown()).toEqual(left)
  // And puts herself on it again, so that an older message would be one that names somebody who is there.
  await contacts((all) => [...all, { name: { family: 'DIOP', given: ['Awa'] } }])
  await world.send(...updated(20), wife(1), child(2))
  expect(shown()).toEqual(left)
})

it('of whom another has written, or a message told a number only, nobody is out of use because NK1 names others', async () => {
  const world = new StagesWorld()
  const mother = 'PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F|||||||||||||M9^^^CENTRAL^MR'
  await world.send(...updated(10), mother, wife(1))
  const [patient] = world.all<Patient>('Patient')
  const guardian: RelatedPerson = {
    resourceType: 'RelatedPerson',
    identifier: [{ system: 'urn:portal', value: 'guardian' }],
    patient: { reference: `Patient/${patient?.id}` },
    name: [{ family: 'DIOP', given: ['Modou'] }],
  }
  await world.store.createUnlessFound(guardian, { identifier: 'urn:portal|guardian' })
  await world.send(...updated(11), child(1))
  expect(kin(world).map(([, name, isActive]) => [name, isActive])).toEqual(
    expect.arrayContaining([
      [undefined, true],
      ['Awa', false],
      ['Modou', true],
      ['Nell', true],
    ]),
  )
})

it('an older message that leaves somebody out ends nobody', async () => {
  const world = new StagesWorld()
  await world.send(...updated(30), wife(1), child(2))
  await world.send(...updated(20), child(1))
  expect(kin(world).map(([, , isActive]) => isActive)).toEqual([true, true])
})

it('who was stored by their place in the message before is found by it, as long as it is the same person', async () => {
  const world = new StagesWorld()
  await world.send(...updated(10))
  const [patient] = world.all<Patient>('Patient')
  const { system = '', value = '' } = patient?.identifier?.[0] ?? {}
  const context = { base: 'https://corridor.example', facility: { code: 'CENTRAL' } }
  // Sound: a key needs nothing else of a draft.
  const counted = derivedKey({ context } as Draft, 'next-of-kin', `${system}|${value}`, '1')
  const before: RelatedPerson = {
    resourceType: 'RelatedPerson',
    identifier: [{ system: counted.system, value: counted.value }],
    patient: { reference: `Patient/${patient?.id}` },
    relationship: [{ coding: [{ code: 'SPS' }] }],
    name: [{ family: 'DIOP', given: ['Awa'] }],
  }
  const { resource } = await world.store.createUnlessFound(before, { identifier: `${counted.system}|${counted.value}` })
  const shown = () => kin(world).map(([id, given]) => [id === resource.id, given])
  await world.send(...updated(11), child(1))
  await world.send(...updated(12), wife(1), child(2))
  await world.send(...updated(13), child(1), wife(2))
  expect(shown()).toEqual([
    [true, 'Awa'],
    [false, 'Nell'],
  ])
})
