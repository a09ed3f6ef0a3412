import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { indexingPatients, type StoredPatient } from './index-patients.ts'
import { askedFor } from './find-matches.ts'
import { personOf } from './person.ts'
import { recognisePatients, resolvePatients } from './resolve.ts'
import { findCandidates } from './store/candidates.ts'
import { indexWorld, type IndexWorld } from './testing/index-world.ts'

/** Keys are as common here as they are where millions live. */
let world: IndexWorld
beforeAll(async () => {
  world = await indexWorld()
  await Promise.all([...sameDay, ...sameMonth].map((one) => world.put(one)))
  await add([
    ...crowd('same-year', (number) => ({
      name: nguyenAnh,
      birthDate: `1984-${number % 2 === 0 ? '11' : '08'}-2${number % 7}`,
    })),
    ...crowd('same-number', (number) => ({ name: named(number), birthDate: '1951-06-07', identifier: [nobodys] })),
    // By their ids they come after those who have the keys of all of them.
    { ...known, id: 'zz-known' },
    { ...numbered, id: 'zz-numbered' },
    { ...nobodysBearer, id: 'zz-bearer' },
  ])
})
afterAll(() => world[Symbol.asyncDispose]())

const crowdSize = 230
const crowd = (id: string, of: (number: number) => Omit<Partial<Patient>, 'id'>): StoredPatient[] =>
  Array.from({ length: crowdSize }, (_, number) => ({
    resourceType: 'Patient',
    id: `${id}-${number}`,
    gender: 'female',
    ...of(number),
  }))

const syllables = ['ba', 'de', 'ki', 'lo', 'mu', 'na', 're', 'si', 'to', 'fa', 'go', 'pe', 'vu', 'ja', 'ze', 'chi']
const rare = (number: number) =>
  [number % 16, (number >> 4) % 16, (number * 7) % 16].map((at) => syllables[at]).join('')
const named = (number: number) => [{ family: `${rare(number)}mak`, given: [`${rare(number + 5)}dit`] }]
const nguyenAnh = [{ family: 'Nguyen', given: ['Anh'] }]
const national = (value: string) => ({ type: { coding: [{ code: 'NI' }] }, system: 'urn:nid', value })
const nobodys = national('9999998')
const somebody = { resourceType: 'Patient', gender: 'female' } as const

const known: Patient = { ...somebody, name: nguyenAnh, birthDate: '1984-03-12', address: [{ postalCode: '70000' }] }
const numbered: Patient = {
  ...somebody,
  name: [{ family: 'Quarshie', given: ['Ekua'] }],
  ...{ birthDate: '1984-03-12', identifier: [national('5550001')] },
}
const nobodysBearer: Patient = {
  ...somebody,
  name: [{ family: 'Oyelaran', given: ['Bisi'] }],
  ...{ birthDate: '1962-11-23', identifier: [nobodys] },
}

const sameDay = crowd('same-day', (number) => ({ name: named(number), birthDate: '1984-03-12' }))
const sameMonth = crowd('same-month', (number) => ({
  name: [{ family: 'Nguyen', given: [rare(number)] }],
  birthDate: '1984-03-29',
}))

const add = (patients: readonly StoredPatient[]) =>
  world.database.transaction((tx) => tx.together(indexingPatients(patients)))

const truncated = async () => /truncated_total (\d+)/.exec(await world.metrics.text())?.[1]
/** Of a hospital that has not seen them. */
const elsewhere = (patient: Patient): Patient => ({
  ...patient,
  identifier: [
    ...(patient.identifier ?? []),
    { system: 'urn:lakeside', value: `L-${patient.birthDate}-${patient.name?.[0]?.family}` },
  ],
})

describe('somebody whose keys more have than are looked at', () => {
  it('is found where only these lead to them, and is certain: nobody else has two of them', async () => {
    const [found] = await recognisePatients([elsewhere(known)], world)
    expect(found).toMatchObject({ outcome: 'matched', grade: 'certain', goldenId: 'zz-known' })
    expect(await resolvePatients([elsewhere(known)], world)).toEqual([found])
  })

  it('is found by those who may see just some, too', async () => {
    const asked = askedFor(personOf(known), await world.names.frequency())
    const seen = async () => {
      const [candidates] = await findCandidates([asked], world.database, sql`true`)
      expect(candidates).toMatchObject({ isTruncated: false })
      return candidates?.found.map(({ patientId }) => patientId)
    }
    expect(await seen()).not.toContain('zz-known')
    await world.put({ ...known, id: 'zz-known' })
    expect(await seen()).toContain('zz-known')
  })

  it('is certain by their national number, though a birthday is that of many', async () => {
    const [found] = await recognisePatients([elsewhere(numbered)], world)
    expect(found).toMatchObject({ outcome: 'matched', grade: 'certain', goldenId: 'zz-numbered' })
    expect(await truncated()).toBe('0')
  })

  it('is not certain by a number that so many have, and is counted', async () => {
    const [found] = await recognisePatients([elsewhere(nobodysBearer)], world)
    expect(found).toMatchObject({ outcome: 'new' })
    expect(await truncated()).toBe('1')
  })

  it('has rivals, who are asked for: of their names, and born a slip of the pen away', async () => {
    await add([{ ...known, id: 'zz-rival', birthDate: '1983-03-12' }])
    expect(await recognisePatients([elsewhere(known)], world)).toMatchObject([{ outcome: 'new' }])
    const asked = askedFor(personOf(known), await world.names.frequency())
    const [candidates] = await findCandidates([asked], world.database)
    expect(candidates?.found.map(({ patientId }) => patientId)).toEqual(
      expect.arrayContaining(['zz-known', 'zz-rival']),
    )
  })
})
