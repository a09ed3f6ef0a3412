import { describe, expect, it } from 'vitest'
import type { AllergyIntolerance, DiagnosticReport, Encounter, Patient } from '../../../packages/fhir/r4.ts'
import { segment } from '../mapping/testing/segment.ts'
import { StagesWorld } from '../testing/stages-world.ts'

const settings = { nationalIdSystem: 'https://corridor.example/id/CENTRAL/STATE' }
const list = (numbers: string) =>
  numbers
    .split(' ')
    .map((number) => (number.startsWith('N') ? `${number}^^^STATE^NI` : `${number}^^^CENTRAL^MR`))
    .join('~')
const amina = (numbers: string, rest: Readonly<Record<number, string>> = {}) =>
  segment('PID', { 3: list(numbers), 5: 'RAMGOOLAM^Amina', 7: '19800115', 8: 'F', ...rest })
const zahra = (numbers: string) => amina(numbers).replace('RAMGOOLAM^Amina', 'OKONKWO^Zahra')

const discharge = segment('PV1', { 2: 'I', 19: 'V1' })
/** By one doctor, of whom one message tells before the other is written. */
const report = (number: string) =>
  segment('OBR', { 2: `P-${number}`, 3: number, 4: 'K^Potassium^L', 16: '1234^SMITH^John', 25: 'F' })

const patients = (world: StagesWorld) =>
  world
    .all<Patient>('Patient')
    .map(({ name, identifier = [], deceasedBoolean }) =>
      [name?.[0]?.given?.[0], ...identifier.map(({ value }) => value), ...(deceasedBoolean ? ['died'] : [])].join(' '),
    )

/** Whose things of a type are, by their given names. */
const whose = (world: StagesWorld, type: 'DiagnosticReport' | 'Encounter') =>
  world.all<DiagnosticReport | Encounter>(type).map(({ subject }) => {
    const one = world.store.resources.get(subject?.reference ?? '')
    return one?.resourceType === 'Patient' ? one.name?.[0]?.given?.[0] : undefined
  })

describe('a patient whose death, or life, the event of a visit tells', () => {
  it.each([
    ['died', 'Y', ['Amina M1 N1 died', 'Zahra M2 N2']],
    ['lives', 'N', ['Amina M1 N1', 'Zahra M2 N2']],
  ])('is the one of the record number, not who has the national number: %s', async (_what, died, expected) => {
    const world = new StagesWorld({}, { settings })
    await world.send('adt', 'ADT^A28', amina('M1 N1'))
    await world.send('adt', 'ADT^A28', zahra('M2 N2'))
    expect(await world.send('adt', 'ADT^A03', amina('M1 N2', { 30: died }), discharge)).toMatchObject({
      status: 'SUCCESS',
    })
    expect(patients(world)).toEqual(expected)
    expect(whose(world, 'Encounter')).toEqual(['Amina'])
  })

  it.each(['', 'N'])('is one record, in whatever order their numbers stand: PID-30 %j', async (died) => {
    const world = new StagesWorld()
    await world.send('adt', 'ADT^A28', amina('M1'))
    expect((await world.send('adt', 'ADT^A03', amina('M2 M1', { 30: died }), discharge)).status).toBe('SUCCESS')
    expect(world.all('Patient')).toHaveLength(1)
  })

  it.each(['', 'N'])('has one allergy, whoever tells of it: PID-30 %j', async (died) => {
    const world = new StagesWorld({}, { settings })
    const allergy = 'AL1|1|DA|PEN^Penicillin^L'
    await world.send('adt', 'ADT^A01', amina('M1 N1'), discharge, allergy)
    await world.send('adt', 'ADT^A03', amina('M1 N1', { 30: died }), discharge, allergy)
    expect(world.all<AllergyIntolerance>('AllergyIntolerance')).toHaveLength(1)
  })
})

describe('a patient of a result, where somebody else wrote in between', () => {
  it('is still the one of the record number, not who has the national number', async () => {
    const world = new StagesWorld({}, { settings })
    await world.send('adt', 'ADT^A28', amina('M1 N1'))
    await world.send('adt', 'ADT^A28', zahra('M2 N2'))
    world.store.beforeNextWrite(() => world.send('oru', 'ORU^R01', zahra('M2 N2'), report('F-2')))
    expect((await world.send('oru', 'ORU^R01', amina('M1 N2'), report('F-1'))).status).toBe('SUCCESS')
    expect(whose(world, 'DiagnosticReport')).toEqual(['Zahra', 'Amina'])
  })

  it('is one record, in whatever order their numbers stand', async () => {
    const world = new StagesWorld()
    await world.send('adt', 'ADT^A28', amina('M1'))
    world.store.beforeNextWrite(() => world.send('oru', 'ORU^R01', zahra('M9'), report('F-2')))
    expect((await world.send('oru', 'ORU^R01', amina('M2 M1'), report('F-1'))).status).toBe('SUCCESS')
    expect(patients(world)).toEqual(['Amina M1', 'Zahra M9'])
  })
})
