import { expect, it } from 'vitest'
import type {
  Condition,
  DiagnosticReport,
  DocumentReference,
  Encounter,
  Observation,
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
