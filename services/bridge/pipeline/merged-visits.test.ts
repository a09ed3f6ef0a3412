import { describe, expect, it } from 'vitest'
import type {
  Account,
  Condition,
  DiagnosticReport,
  DocumentReference,
  Encounter,
  Observation,
  Patient,
  ServiceRequest,
} from '../../../packages/fhir/r4.ts'
import { segment } from '../mapping/testing/segment.ts'
import { StagesWorld } from '../testing/stages-world.ts'

const visit = (number: string) => segment('PV1', { 2: 'I', 19: number })
const result = (filler: string) => [
  ...[`ORC|RE|P-${filler}|${filler}`, segment('OBR', { 2: `P-${filler}`, 3: filler, 4: 'K^Potassium^L', 25: 'F' })],
  'OBX|1|NM|K^Potassium^L||4|mmol/L|||||F',
]
const merge = (from: string, into: string) => ['ADT^A42', `MRG|M1^^^CENTRAL^MR||||${from}`, visit(into)] as const

/** Two visits of one patient, of which the first has a diagnosis, a result with its order and report, and a letter. */
async function twoVisits(): Promise<StagesWorld> {
  const world = new StagesWorld()
  await world.send('adt', 'ADT^A01', visit('V1'), 'DG1|1||J18.9^Pneumonia^I10')
  await world.send('adt', 'ADT^A01', visit('V2'))
  await world.send('oru', 'ORU^R01', visit('V1'), ...result('F-1'))
  await world.send('mdm', 'MDM^T02', visit('V1'), segment('TXA', { 2: 'DS', 12: 'D-1', 17: 'AU' }), 'OBX|1|TX|||Hello')
  return world
}

const visitOf = (world: StagesWorld, number: string) => {
  const found = world.all<Encounter>('Encounter').find(({ identifier }) => identifier?.[0]?.value === number)
  return `Encounter/${found?.id}`
}

function visitsNamed(world: StagesWorld): (string | undefined)[] {
  const all = [
    ...world.all<Condition>('Condition'),
    ...world.all<Observation>('Observation'),
    ...world.all<DiagnosticReport>('DiagnosticReport'),
    ...world.all<ServiceRequest>('ServiceRequest'),
  ].map(({ encounter }) => encounter)
  const documents = world.all<DocumentReference>('DocumentReference').flatMap(({ context }) => context?.encounter ?? [])
  return [...all, ...documents].map((one) => one?.reference)
}

it('what was found in a visit goes to the one into which it is merged', async () => {
  const world = await twoVisits()
  const before = visitsNamed(world)
  expect(new Set(before)).toEqual(new Set([visitOf(world, 'V1')]))
  expect(await world.send('adt', ...merge('V1', 'V2'))).toMatchObject({ status: 'SUCCESS' })
  expect(visitsNamed(world)).toEqual(before.map(() => visitOf(world, 'V2')))
  await world.send('adt', ...merge('V1', 'V2'))
  expect(visitsNamed(world)).toEqual(before.map(() => visitOf(world, 'V2')))
})

it('whoever mentions a visit that was merged away means the one that stands, also after further merges', async () => {
  const world = await twoVisits()
  await world.send('adt', 'ADT^A01', visit('V3'))
  await world.send('adt', ...merge('V1', 'V2'))
  await world.send('adt', ...merge('V2', 'V3'))
  for (const number of ['F-1', 'F-2']) await world.send('oru', 'ORU^R01', visit('V1'), ...result(number))
  expect(world.all<Observation>('Observation')).toHaveLength(2)
  expect(new Set(visitsNamed(world))).toEqual(new Set([visitOf(world, 'V3')]))
})

it.each<[string, string, Readonly<Record<number, string>>, Partial<Encounter>]>([
  ['A08', 'is corrected', { 10: 'CAR' }, { status: 'in-progress', serviceType: { text: 'CAR' } }],
  ['A03', 'has ended', { 45: '20260305' }, { status: 'finished', period: { end: '2026-03-05' } }],
  ['A01', 'goes on', { 44: '20260301' }, { status: 'in-progress', period: { start: '2026-03-01' } }],
  ['A11', 'was called off', {}, { status: 'in-progress' }],
  ['A23', 'is a mistake', {}, { status: 'in-progress' }],
])('%s: that a visit which was merged away %s is said of the one that stands', async (trigger, _what, fields, said) => {
  const world = await twoVisits()
  await world.send('adt', ...merge('V1', 'V2'))
  const [gone, conditions] = [world.all<Encounter>('Encounter')[0], world.all('Condition').length]
  const late = [segment('PV1', { 2: 'I', 19: 'V1', ...fields }), 'DG1|1||J18.9^Pneumonia^I10']
  for (const _again of [1, 2])
    expect(await world.send('adt', `ADT^${trigger}`, ...late)).toMatchObject({ status: 'SUCCESS' })
  const [first, second] = world.all<Encounter>('Encounter')
  expect(first).toEqual(gone)
  expect(second).toMatchObject({ identifier: [{ value: 'V2' }], ...said })
  expect(second?.identifier).toHaveLength(1)
  expect(world.all('Condition')).toHaveLength(conditions)
  expect(new Set(visitsNamed(world))).toEqual(new Set([visitOf(world, 'V2')]))
})

it('a visit that was merged before anybody knew of it is found in the one that stands', async () => {
  const world = new StagesWorld()
  await world.send('adt', ...merge('V1', 'V2'))
  await world.send('oru', 'ORU^R01', visit('V1'), ...result('F-1'))
  expect(new Set(visitsNamed(world))).toEqual(new Set([visitOf(world, 'V2')]))
})

it('a visit stands again when it was merged the wrong way round, and what was found in both is found in it', async () => {
  const world = await twoVisits()
  await world.send('oru', 'ORU^R01', visit('V2'), ...result('F-2'))
  for (const merged of [merge('V1', 'V2'), merge('V2', 'V1')]) await world.send('adt', ...merged)
  await world.send('oru', 'ORU^R01', visit('V2'), ...result('F-3'))
  const statuses = world.all<Encounter>('Encounter').map(({ status, partOf }) => [status, partOf?.reference])
  expect(statuses).toEqual([
    ['in-progress', undefined],
    ['entered-in-error', visitOf(world, 'V1')],
  ])
  expect(new Set(visitsNamed(world))).toEqual(new Set([visitOf(world, 'V1')]))
})

it('the store is asked no more often where no visit was merged', async () => {
  const world = await twoVisits()
  const before = world.finds
  await world.send('oru', 'ORU^R01', visit('V2'), ...result('F-2'))
  expect(world.finds).toBe(before + 1)
})

describe('a visit that moves to another patient (A45)', () => {
  const other = 'PID|1||M2^^^CENTRAL^MR||OKONKWO^Adaeze||19510213|F'
  const move = (to: string, from: string, number: string, ...pv1: readonly string[]) =>
    ['adt', 'ADT^A45', to, `MRG|${from}^^^CENTRAL^MR||||${number}`, ...pv1] as const
  const patientsOf = (world: StagesWorld) =>
    new Set(
      [
        ...world.all<Encounter>('Encounter').slice(0, 1),
        ...world.all<Condition>('Condition'),
        ...world.all<Observation>('Observation'),
      ].map(({ subject }) => subject?.reference),
    )
  const numbers = (world: StagesWorld) =>
    world
      .all<Encounter>('Encounter')
      .map(({ identifier }) => identifier?.map(({ use = 'current', value }) => `${value} ${use}`).sort())

  const ofAuthority = 'V1^^^&1.2.3&ISO'
  it.each<[string, string, string[], string[], string]>([
    ['another number', 'V1', [visit('V9')], ['V1 old', 'V9 current'], 'V9'],
    ['no number', 'V1', [visit('')], ['V1 current'], 'V1'],
    ['the same number, of an authority', ofAuthority, [visit(ofAuthority)], ['V1 current'], ofAuthority],
    ['no visit', 'V1', [], ['V1 current'], 'V1'],
  ])('moves where the message has %s in PV1-19', async (_what, first, pv1, known, later) => {
    const world = new StagesWorld()
    await world.send('adt', 'ADT^A01', visit(first), 'DG1|1||J18.9^Pneumonia^I10')
    await world.send('oru', 'ORU^R01', visit(first), ...result('F-1'))
    await world.send('adt', 'ADT^A28', other)
    expect(await world.send(...move(other, 'M1', 'V1', ...pv1))).toMatchObject({ status: 'SUCCESS' })
    const right = world.all<Patient>('Patient').find(({ name }) => name?.[0]?.family === 'OKONKWO')
    expect(patientsOf(world)).toEqual(new Set([`Patient/${right?.id}`]))
    expect(numbers(world)).toEqual([known])
    // What is said of the visit from now on is said of this one.
    await world.send('adt', 'ADT^A03', other, visit(later))
    expect(world.all<Encounter>('Encounter').map(({ status }) => status)).toEqual(['finished'])
  })

  it('has its first number again when it moves back', async () => {
    const world = await twoVisits()
    await world.send(...move(other, 'M1', 'V1', visit('V9')))
    await world.send(...move('PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F', 'M2', 'V9', visit('V1')))
    expect(numbers(world)).toEqual([['V1 current', 'V9 old'], ['V2 current']])
    expect(patientsOf(world).size).toBe(1)
  })

  it('moves and leaves the number where another visit has it', async () => {
    const world = await twoVisits()
    await world.send('adt', 'ADT^A01', other, visit('V9'))
    const outcome = await world.send(...move(other, 'M1', 'V1', visit('V9')))
    expect(outcome).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 1 } })
    expect(numbers(world)).toEqual([['V1 old'], ['V2 current'], ['V9 current']])
    expect(world.all<Encounter>('Encounter')[0]?.subject).toEqual(world.all<Encounter>('Encounter')[2]?.subject)
  })
})

it.each(['A06', 'A07'])('a visit that goes on under another number (%s with MRG-5) is one', async (trigger) => {
  const world = new StagesWorld()
  const known = () =>
    world
      .all<Encounter>('Encounter')
      .map(({ status, identifier }) => [status, identifier?.map(({ use = 'current', value }) => `${value} ${use}`)])
  await world.send('adt', 'ADT^A04', segment('PV1', { 2: 'E', 3: 'ED', 19: 'V1' }), 'DG1|1||J18.9^Pneumonia^I10')
  const changed = ['adt', `ADT^${trigger}`, 'MRG|M1^^^CENTRAL^MR||||V1', segment('PV1', { 3: '3W', 19: 'V2' })] as const
  for (const _again of [1, 2]) await world.send(...changed)
  expect(known()).toEqual([['in-progress', ['V1 old', 'V2 current']]])
  await world.send('adt', 'ADT^A03', visit('V2'), 'DG1|1||J18.9^Pneumonia^I10')
  expect(known()).toMatchObject([['finished', {}]])
  expect(world.all('Condition')).toHaveLength(1)
  // Without MRG-5 nothing says that they are one.
  await world.send('adt', `ADT^${trigger}`, visit('V3'))
  expect(known()).toHaveLength(2)
})

it('an account that was merged (A41) and takes the place of the other then is in use again', async () => {
  const into = (account: string) => segment('PID', { 3: 'M1^^^CENTRAL^MR', 5: 'RAMGOOLAM^Amina', 18: account })
  const join = (from: string, to: string) => ['adt', 'ADT^A41', into(to), `MRG|M1^^^CENTRAL^MR||${from}`] as const
  const world = new StagesWorld()
  for (const account of ['ACC1', 'ACC2']) await world.send('adt', 'ADT^A01', into(account), visit('V1'))
  for (const message of [join('ACC1', 'ACC2'), join('ACC2', 'ACC1'), join('ACC2', 'ACC1')]) {
    expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS', warnings: {} })
  }
  const accounts = world.all<Account & { id: string }>('Account')
  expect(accounts.map(({ identifier, status, subject }) => [identifier?.[0]?.value, status, subject?.length])).toEqual([
    ['ACC1', 'active', 1],
    ['ACC2', 'inactive', 1],
  ])
  expect(accounts.map(({ partOf }) => partOf?.reference)).toEqual([undefined, `Account/${accounts[0]?.id}`])
})

describe('an account that moves to another patient (A44)', () => {
  const person = (number: string, name: string, account = '') =>
    segment('PID', { 3: `${number}^^^CENTRAL^MR`, 5: name, 18: account })
  const [wrong, right] = [person('M1', 'RAMGOOLAM^Amina', 'ACC'), person('M2', 'OKONKWO^Adaeze', 'ACC')]
  const move = ['adt', 'ADT^A44', right, 'MRG|M1^^^CENTRAL^MR||ACC'] as const
  const visitsOf = (world: StagesWorld) =>
    world.all<Encounter>('Encounter').map(({ identifier, subject }) => {
      const whose = world.all<Patient>('Patient').find(({ id }) => subject?.reference === `Patient/${id}`)
      return `${identifier?.[0]?.value} ${whose?.name?.[0]?.given?.[0]}`
    })

  it('takes along its visits, with what was found in them, and leaves those of other accounts', async () => {
    const world = new StagesWorld()
    await world.send('adt', 'ADT^A01', wrong, visit('V1'), 'DG1|1||J18.9^Pneumonia^I10')
    await world.send('oru', 'ORU^R01', wrong, visit('V1'), ...result('F-1'))
    await world.send('adt', 'ADT^A01', person('M1', 'RAMGOOLAM^Amina', 'ACC-2'), visit('V2'))
    for (const _again of [1, 2]) expect(await world.send(...move)).toMatchObject({ status: 'SUCCESS' })
    expect(visitsOf(world)).toEqual(['V1 Adaeze', 'V2 Amina'])
    const found = [...world.all<Condition>('Condition'), ...world.all<Observation>('Observation')]
    const [first] = world.all<Encounter>('Encounter')
    expect(found.map(({ subject }) => subject)).toEqual(found.map(() => first?.subject))
  })

  it('keeps its visits from an older message that comes late, and leaves one of which something newer was said', async () => {
    const world = new StagesWorld()
    const said = (minute: string) => `EVN||202603040${minute}00+0000`
    const admission = (number: string) => [wrong, visit(number), 'DG1|1||J18.9^Pneumonia^I10'] as const
    await world.send('adt', 'ADT^A01', said('000'), ...admission('V1'))
    await world.send('adt', 'ADT^A01', said('000'), ...admission('V2'))
    await world.send(
      'adt',
      'ADT^A08',
      said('040'),
      person('M1', 'RAMGOOLAM^Amina'),
      segment('PV1', { 2: 'E', 19: 'V2' }),
    )
    await world.send('adt', 'ADT^A44', said('030'), right, 'MRG|M1^^^CENTRAL^MR||ACC')
    expect(visitsOf(world)).toEqual(['V1 Adaeze', 'V2 Amina'])
    await world.send('adt', 'ADT^A08', said('020'), ...admission('V1'))
    expect(visitsOf(world)).toEqual(['V1 Adaeze', 'V2 Amina'])
    const [first, second] = world.all<Encounter>('Encounter')
    const whose = world.all<Condition>('Condition').map(({ subject }) => subject)
    expect(whose).toEqual([first?.subject, second?.subject])
    await world.send('adt', 'ADT^A08', said('050'), ...admission('V1'))
    expect(visitsOf(world)).toEqual(['V1 Amina', 'V2 Amina'])
  })

  it('takes along none where it was of several', async () => {
    const world = new StagesWorld()
    await world.send('adt', 'ADT^A01', wrong, visit('V1'))
    await world.send('adt', 'ADT^A01', person('M3', 'RAMGOOLAM^Dev', 'ACC'), visit('V3'))
    await world.send(...move)
    expect(visitsOf(world)).toEqual(['V1 Amina', 'V3 Dev'])
  })
})
