import { describe, expect, it } from 'vitest'
import type {
  Appointment,
  Condition,
  DiagnosticReport,
  Encounter,
  Immunization,
  Observation,
  Patient,
  ServiceRequest,
  Slot,
  Specimen,
} from '../../../packages/fhir/r4.ts'
import { patientOf } from '../mapping/patient-of.ts'
import { segment } from '../mapping/testing/segment.ts'
import { StagesWorld } from '../testing/stages-world.ts'
import type { ChannelId } from './channel.ts'

const refused = { status: 'ERROR', code: 'AE', errorCode: 'NUMBER_OF_ANOTHER' }
const other = 'PID|1||M2^^^CENTRAL^MR||OKONKWO^Adaeze||19510213|F'
const visit = (fields: Readonly<Record<number, string>> = {}) => segment('PV1', { 2: 'I', 19: '1', ...fields })

type Sent = readonly [channel: ChannelId, type: string, ...segments: string[]]

async function after(...messages: readonly Sent[]): Promise<StagesWorld> {
  const world = new StagesWorld()
  for (const message of messages) expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS' })
  return world
}

const patientsOf = (visits: readonly Encounter[]) => visits.map(({ subject }) => subject?.reference)

describe('the number of a visit', () => {
  const first: Sent = ['adt', 'ADT^A01', visit({ 44: '20250101' }), 'DG1|1||J18.9^Pneumonia^I10']
  const ended: Sent = ['adt', 'ADT^A03', visit({ 45: '20250105' })]

  it.each(['A01', 'A04', 'A05', 'A13'])('does not give an ended visit to another patient: %s', async (trigger) => {
    const world = await after(first, ended)
    const [before] = world.all<Encounter>('Encounter')
    expect(await world.send('adt', `ADT^${trigger}`, other, visit())).toMatchObject(refused)
    expect(world.all<Encounter>('Encounter')).toEqual([before])
  })

  it.each<[string, string, string]>([
    ['A08', '20250302', ''],
    ['A03', '20250302', '20250309'],
    ['A03', '', '20250309'],
    ['A11', '20250302', ''],
  ])('does not give a visit of other days to another patient: %s of %s to %s', async (trigger, start, end) => {
    const world = await after(first, ended)
    const [before] = world.all<Encounter>('Encounter')
    expect(await world.send('adt', `ADT^${trigger}`, other, visit({ 44: start, 45: end }))).toMatchObject(refused)
    expect(world.all<Encounter>('Encounter')).toEqual([before])
    const goesOn = await after(first)
    expect(await goesOn.send('adt', 'ADT^A01', other, visit({ 44: '20250302' }))).toMatchObject(refused)
  })

  it.each<[string, ...string[]]>([
    ['A11', visit()],
    ['A27', visit()],
    ['A42', 'MRG|M2^^^CENTRAL^MR||||1', visit({ 19: '2' })],
    ['A42', 'MRG|M2^^^CENTRAL^MR||||2', visit()],
    ['A50', 'MRG|M2^^^CENTRAL^MR||||1', visit({ 19: '3' })],
  ])('does not have another patient’s visit called off, merged or numbered anew: %s', async (trigger, ...segments) => {
    const world = await after(['adt', 'ADT^A01', visit()], ['adt', 'ADT^A01', other, visit({ 19: '2' })])
    const before = world.all<Encounter>('Encounter')
    expect(await world.send('adt', `ADT^${trigger}`, other, ...segments)).toMatchObject(refused)
    await world.send('adt', 'ADT^A23', other, visit())
    expect(world.all<Encounter>('Encounter')).toEqual(before)
  })

  it('is that of a patient who is corrected, with the hour', async () => {
    const world = await after(first, ended, ['adt', 'ADT^A08', other, visit({ 44: '202501011530', 45: '20250105' })])
    const last = world.all('Patient').at(-1)
    expect(patientsOf(world.all<Encounter>('Encounter'))).toEqual([`Patient/${last?.id}`])
  })

  it.each<[string, Sent, Sent]>([
    ['its patient again', first, ['adt', 'ADT^A13', visit()]],
    ['who is corrected while it lasts', first, ['adt', 'ADT^A08', other, visit()]],
    ['who is corrected when it was called off', ['adt', 'ADT^A11', visit()], ['adt', 'ADT^A01', other, visit()]],
    ['who is corrected when it has ended', ended, ['adt', 'ADT^A08', other, visit()]],
  ])('is that of %s', async (_whose, before, message) => {
    const world = await after(first, before, message)
    const last = world.all('Patient').at(-1)
    expect(patientsOf(world.all<Encounter>('Encounter'))).toEqual([`Patient/${last?.id}`])
  })

  it('puts no result into the visit of another patient', async () => {
    const result = [segment('OBR', { 3: 'F-1', 4: 'K^Potassium^L', 25: 'F' }), 'OBX|1|NM|K^Potassium^L||4|mmol/L|||||F']
    const world = await after(first)
    const own = await world.send('oru', 'ORU^R01', visit(), segment('OBR', { 3: 'F-0', 4: 'K^Potassium^L', 25: 'F' }))
    const sent = await world.send('oru', 'ORU^R01', other, visit(), ...result)
    expect([own.warnings['shared-number'], sent.warnings['shared-number']]).toEqual([undefined, 1])
    const number = { system: 'https://corridor.example/id/CENTRAL/VN', value: '1' }
    const versionOf = () => world.all<Observation>('Observation').map(({ meta }) => meta?.versionId)
    expect(world.all<Observation>('Observation')[0]?.encounter).toEqual({ type: 'Encounter', identifier: number })
    expect(world.all<Encounter>('Encounter')).toHaveLength(1)
    await world.send('oru', 'ORU^R01', other, visit(), ...result)
    expect(versionOf()).toEqual(['1'])
  })

  it('tells apart the diagnoses of two patients', async () => {
    const ordered = ['ORC|NW|7', 'OBR|1|7||K^Potassium^L', 'DG1|1||J18.9^Pneumonia^I10']
    const world = await after(first, ['orm', 'ORM^O01', other, visit(), ...ordered], first)
    const [own, others] = world.all('Patient').map(({ id }) => `Patient/${id}`)
    expect(world.all<Condition>('Condition').map(({ subject }) => subject.reference)).toEqual([own, others])
    await world.send('orm', 'ORM^O01', other, visit(), ...ordered)
    expect(world.all<Condition>('Condition')).toHaveLength(2)
  })
})

describe('another patient’s number', () => {
  it('of an order of something else is refused', async () => {
    const world = await after(['orm', 'ORM^O01', 'ORC|NW|7', 'OBR|1|7||K^Potassium^L'])
    const given = await world.send('orm', 'ORM^O01', other, 'ORC|NW|7', 'OBR|1|7||NA^Sodium^L')
    expect(given).toMatchObject(refused)
    expect(world.all<ServiceRequest>('ServiceRequest').map(({ code }) => code?.text)).toEqual(['Potassium'])
    expect(await world.send('orm', 'ORM^O01', other, 'ORC|NW|7', 'OBR|1|7||K^Potassium^L')).toMatchObject({
      status: 'SUCCESS',
    })
  })

  it('of an order of something else keeps no result back, which names the order by its number alone', async () => {
    const world = await after(['orm', 'ORM^O01', 'ORC|NW|7', 'OBR|1|7||K^Potassium^L'])
    const [before] = world.all<ServiceRequest>('ServiceRequest')
    const result = [
      segment('OBR', { 2: '7', 3: 'F-1', 4: 'NA^Sodium^L', 25: 'F' }),
      'OBX|1|NM|NA^Sodium^L||140|||||||F',
    ]
    const sent = () => world.send('oru', 'ORU^R01', other, 'ORC|RE|7|F-1', ...result)
    expect(await sent()).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 1 } })
    expect(await sent()).toMatchObject({ status: 'SUCCESS' })
    expect(world.all<ServiceRequest>('ServiceRequest')).toEqual([before])
    expect(
      world.all<DiagnosticReport>('DiagnosticReport').map(({ basedOn, meta }) => [basedOn, meta?.versionId]),
    ).toEqual([
      [
        [{ type: 'ServiceRequest', identifier: { system: 'https://corridor.example/id/CENTRAL/PLAC', value: '7' } }],
        '1',
      ],
    ])
  })

  it('of an order of the same service stays theirs, unless the report was theirs', async () => {
    const result = (filler: string, ...others: readonly string[]): Sent => [
      ...(['oru', 'ORU^R01', ...others, `ORC|RE|7|${filler}`] as const),
      segment('OBR', { 2: '7', 3: filler, 4: 'K^Potassium^L', 25: 'F' }),
    ]
    const world = await after(['orm', 'ORM^O01', 'ORC|NW|7', 'OBR|1|7||K^Potassium^L'])
    const [before] = world.all<ServiceRequest>('ServiceRequest')
    await world.send(...result('F-1', other))
    expect(world.all<ServiceRequest>('ServiceRequest')).toEqual([before])
    expect(world.all<DiagnosticReport>('DiagnosticReport')[0]?.basedOn?.[0]).not.toHaveProperty('reference')
    const moving = await after(result('F-1'), result('F-1', other))
    const subjects = [
      ...moving.all<ServiceRequest>('ServiceRequest'),
      ...moving.all<DiagnosticReport>('DiagnosticReport'),
    ]
    const last = moving.all('Patient').at(-1)
    expect(subjects.map(({ subject }) => subject?.reference)).toEqual([`Patient/${last?.id}`, `Patient/${last?.id}`])
  })

  it('of a dose of another vaccine is refused', async () => {
    const dose = (vaccine: string) => [
      'ORC|RE||77',
      segment('RXA', { 1: '0', 2: '1', 3: '20260304', 5: vaccine, 20: 'CP' }),
    ]
    const world = await after(['adt', 'VXU^V04', ...dose('08^HepB^CVX')])
    const given = await world.send('adt', 'VXU^V04', other, ...dose('03^MMR^CVX'))
    expect(given).toMatchObject(refused)
    expect(world.all<Immunization>('Immunization').map(({ vaccineCode }) => vaccineCode.text)).toEqual(['HepB'])
  })
})

describe('what is another patient’s', () => {
  const dose = (action: string) => [
    'ORC|RE||77',
    segment('RXA', { 1: '0', 2: '1', 3: '20260304', 5: '08^HepB^CVX', 20: 'CP', 21: action }),
  ]
  const drug = (control: string) => [`ORC|${control}|9`, 'RXE|^^^20260304|A^Aspirin^L|1||mg']
  const order = (control: string) => [`ORC|${control}|7`, 'OBR|1|7||K^Potassium^L']
  const document = (number: string, parent = '') => [
    segment('TXA', { 1: '1', 2: 'DS', 12: number, 13: parent, 17: 'AU' }),
    'OBX|1|TX|||Hello',
  ]

  it.each<[string, Sent, Sent]>([
    ['a dose', ['adt', 'VXU^V04', ...dose('A')], ['adt', 'VXU^V04', other, ...dose('D')]],
    ['a prescription', ['rde', 'RDE^O11', ...drug('NW')], ['rde', 'RDE^O11', other, ...drug('DC')]],
    ['an order', ['orm', 'ORM^O01', ...order('NW')], ['orm', 'ORM^O01', other, ...order('OC')]],
    ['a document', ['mdm', 'MDM^T02', ...document('D1')], ['mdm', 'MDM^T11', other, ...document('D1')]],
    ['a document', ['mdm', 'MDM^T02', ...document('D1')], ['mdm', 'MDM^T10', other, ...document('D2', 'D1')]],
  ])('is not called off: %s', async (_what, told, calledOff) => {
    const world = await after(told)
    const before = [...world.store.resources.values()]
    await world.send(...calledOff)
    const now = new Map([...world.store.resources.values()].map((one) => [one.id, one]))
    for (const one of before) expect(now.get(one.id)).toEqual(one)
  })
})

describe('the number of a tube', () => {
  const result = (filler: string, type: string, ...others: readonly string[]): Sent => [
    ...(['oru', 'ORU^R01', ...others] as const),
    segment('OBR', { 3: filler, 4: 'K^Potassium^L', 25: 'F' }),
    'OBX|1|NM|K^Potassium^L||4|mmol/L|||||F',
    segment('SPM', { 1: '1', 2: '^T-1', 4: type, 17: '20260304' }),
  ]
  const shown = (world: StagesWorld) => {
    const specimens = new Map(world.all<Specimen>('Specimen').map((one) => [`Specimen/${one.id}`, one]))
    return world.all<DiagnosticReport>('DiagnosticReport').map(({ subject, specimen = [] }) => {
      const one = specimens.get(specimen[0]?.reference ?? '')
      const number = one?.container?.[0]?.identifier?.[0]?.value ?? one?.identifier?.[0]?.value
      return `${specimen.length} ${number} ${one?.type?.coding?.[0]?.code} ${one?.subject?.reference === subject?.reference}`
    })
  }

  it('that is given again takes no specimen from another patient', async () => {
    const world = await after(result('F-1', 'BLD'))
    const sent = await world.send(...result('F-2', 'UR', other))
    expect(sent).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 1 } })
    expect(shown(world)).toEqual(['1 T-1 BLD true', '1 T-1 UR true'])
    await world.send(...result('F-2', 'CSF', other))
    await world.send(...result('F-1', 'SER'))
    expect(shown(world)).toEqual(['1 T-1 SER true', '1 T-1 CSF true'])
    expect(world.all<Specimen>('Specimen')).toHaveLength(2)
  })

  it('that is given again with an order takes none either', async () => {
    const order = (number: string, ...others: readonly string[]): Sent => [
      ...(['orm', 'OML^O21', ...others, `ORC|NW|${number}`, `OBR|1|${number}||K^Potassium^L`] as const),
      'SPM|1|T-1||BLD',
    ]
    const world = await after(order('P-1'), order('P-2', other))
    const orders = world.all<ServiceRequest>('ServiceRequest').map(({ subject }) => subject.reference)
    expect(world.all<Specimen>('Specimen').map(({ subject }) => subject?.reference)).toEqual(orders)
    expect(new Set(orders).size).toBe(2)
  })

  it('goes with a report that is corrected to be another patient’s', async () => {
    const world = await after(result('F-1', 'BLD'), result('F-1', 'BLD', other))
    expect(shown(world)).toEqual(['1 T-1 BLD true'])
    expect(world.all<Specimen>('Specimen')).toHaveLength(1)
  })
})

describe('the number of a result (OBX-21)', () => {
  const result = (filler: string, value: string, ...others: readonly string[]): Sent => [
    ...(['oru', 'ORU^R01', ...others] as const),
    segment('OBR', { 3: filler, 4: 'K^Potassium^L', 25: 'F' }),
    segment('OBX', { 1: '1', 2: 'NM', 3: 'K^Potassium^L', 5: value, 11: 'F', 21: '1' }),
  ]
  const told = (world: StagesWorld) => {
    const whose = world.all('Patient').map(({ id }) => `Patient/${id}`)
    const all = world.all<Observation>('Observation')
    return all.map(({ subject, valueQuantity }) => [whose.indexOf(subject?.reference ?? ''), valueQuantity?.value])
  }

  it('that is given again takes no result from another patient', async () => {
    const world = await after(
      result('F-1', '4'),
      result('F-2', '5', other),
      result('F-2', '6', other),
      result('F-1', '3'),
    )
    expect(told(world)).toEqual([
      [0, 3],
      [1, 6],
    ])
  })

  it('goes with a report that is corrected to be another patient’s', async () => {
    const world = await after(result('F-1', '4'), result('F-1', '5', other))
    expect(told(world)).toEqual([[1, 5]])
  })
})

describe('a number that changes to one that is known', () => {
  const renumbered: Sent = ['adt', 'ADT^A47', other, 'MRG|M1^^^CENTRAL^MR']
  const numbersOf = (type: 'Patient' | 'Encounter' | 'Account', world: StagesWorld) =>
    world.all<Encounter>(type as 'Encounter').map(({ identifier }) => identifier?.map(({ value }) => value).join(' '))

  it('of a patient is that of one record, also where nobody knew the old one', async () => {
    const world = await after(['adt', 'ADT^A28', other], renumbered, renumbered, ['adt', 'ADT^A08', other, visit()])
    expect(numbersOf('Patient', world)).toEqual(['M2 M1'])
    const merged = await after(
      ...[['adt', 'ADT^A28'] as const, ['adt', 'ADT^A28', other] as const],
      ...[['adt', 'ADT^A40', other, 'MRG|M1^^^CENTRAL^MR'] as const, renumbered],
    )
    expect(numbersOf('Patient', merged)).toEqual(['M1', 'M2'])
  })

  it('of a patient is refused where it is another’s: from then on it would find both', async () => {
    const world = await after(['adt', 'ADT^A28'], ['adt', 'ADT^A28', other])
    expect(await world.send(...renumbered)).toMatchObject(refused)
    expect(numbersOf('Patient', world)).toEqual(['M1', 'M2'])
  })

  it('of a visit or an account is that of one of them', async () => {
    const visited: Sent = ['adt', 'ADT^A50', 'MRG|M1^^^CENTRAL^MR||||1', visit({ 19: '2' })]
    const later: Sent = ['adt', 'ADT^A08', visit({ 19: '2' })]
    expect(numbersOf('Encounter', await after(later, visited, visited, later))).toEqual(['2 1'])
    const both = await after(['adt', 'ADT^A01', visit()], later, visited, later)
    expect(numbersOf('Encounter', both)).toEqual(['1', '2'])
    const account = 'PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina|||||||||||||A2'
    const admitted: Sent = ['adt', 'ADT^A01', account, visit()]
    const world = await after(admitted, ['adt', 'ADT^A49', account, 'MRG|M1^^^CENTRAL^MR||A1'], admitted)
    expect(numbersOf('Account', world)).toEqual(['A2 A1'])
  })
})

describe('a patient whose numbers come in another order', () => {
  const pid = (numbers: string, born = '19800115', name = 'RAMGOOLAM^Amina') => `PID|1||${numbers}||${name}||${born}|F`
  const [old, further] = ['M1^^^CENTRAL^MR', 'X9^^^OTHER^MR']
  const numbersOf = (world: StagesWorld) =>
    world.all<Patient>('Patient').map(({ identifier }) => identifier?.map(({ value }) => value).join(' '))
  const result = segment('OBR', { 3: 'F-1', 4: 'K^Potassium^L', 25: 'F' })

  it('has one record, and no message under one of them is refused afterwards', async () => {
    const both = pid(`${further}~${old}`)
    const told: Sent = ['adt', 'ADT^A28', pid(old)]
    expect(numbersOf(await after(told, ['adt', 'ADT^A31', both], told, ['adt', 'ADT^A31', pid(further)]))).toEqual([
      'M1 X9',
    ])
    expect(numbersOf(await after(told, ['oru', 'ORU^R01', both, result], told))).toEqual(['M1'])
  })

  it('is nobody who was born on another day', async () => {
    const world = await after(['adt', 'ADT^A28', pid(old)], ['adt', 'ADT^A28', pid(`${further}~${old}`, '20260301')])
    expect(numbersOf(world)).toEqual(['M1', 'X9'])
  })

  it.each([
    ['another name', pid(`${further}~${old}`), pid(`X8^^^OTHER^MR~${old}`, '19800115', 'RAMGOOLAM^Aisha')],
    ['a name that newborns are given alike', pid(`${further}~${old}`), pid(`X8^^^OTHER^MR~${old}`)],
    ['one of several births', `${pid(old)}||||||||||||||||Y`, pid(`${further}~${old}`)],
  ])('is no twin with the number of their mother: %s', async (_what, one, twin) => {
    expect(numbersOf(await after(['adt', 'ADT^A28', one], ['adt', 'ADT^A28', twin]))).toHaveLength(2)
  })
})

describe('two patients of one message', () => {
  const of = (filler: string, value: string, pid: string): readonly string[] => [
    ...[pid, visit(), `ORC|RE|P-1|${filler}`],
    segment('OBR', { 2: 'P-1', 3: filler, 4: 'K^Potassium^L', 25: 'F' }),
    segment('OBX', { 1: '1', 2: 'NM', 3: 'K^Potassium^L', 5: value, 11: 'F', 21: '1' }),
    segment('SPM', { 1: '1', 2: '^T-1', 4: 'BLD' }),
  ]
  const first = 'PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F'
  const both: Sent = ['oru', 'ORU^R01', ...of('F-1', '4', first), ...of('F-2', '5', other)]
  const shown = (world: StagesWorld) => {
    const whose = world.all('Patient').map(({ id }) => `Patient/${id}`)
    const all = new Map([...world.store.resources.values()].map((one) => [`${one.resourceType}/${one.id}`, one]))
    const ownerOf = (reference: string | undefined) => {
      const { subject } = (all.get(reference ?? '') ?? {}) as Partial<Observation>
      return subject === undefined ? undefined : whose.indexOf(subject.reference ?? '')
    }
    return world.all<DiagnosticReport>('DiagnosticReport').map((report) => ({
      of: whose.indexOf(report.subject?.reference ?? ''),
      values: report.result?.map(
        ({ reference }) => (all.get(reference ?? '') as Observation | undefined)?.valueQuantity?.value,
      ),
      visitOf: ownerOf(report.encounter?.reference),
      others: [report.result, report.specimen, report.basedOn].map((list) =>
        list?.map((one) => ownerOf(one.reference)),
      ),
    }))
  }
  const told = (patient: number, value: number, hasVisit: boolean) => ({
    ...{ of: patient, values: [value], visitOf: hasVisit ? patient : undefined },
    others: [[patient], [patient], [patient]],
  })

  it('who have one number of a visit, a tube, an order and a result are told apart, also when it comes again', async () => {
    const world = await after(both)
    const once = shown(world)
    expect(once).toEqual([told(0, 4, true), told(1, 5, false)])
    const sizes = world.store.resources.size
    expect(await world.send(...both)).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 2 } })
    await world.send('oru', 'ORU^R01', ...of('F-2', '5', other))
    expect(shown(world)).toEqual(once)
    // The Provenance of each message.
    expect(world.store.resources.size).toBe(sizes + 2)
  })

  it('of whom the second had the number before take nothing from each other', async () => {
    const world = await after(['oru', 'ORU^R01', ...of('F-2', '5', other)], both, both)
    // The order is the second's: the first names it by its number alone.
    const later = { ...told(1, 4, false), others: [[1], [1], [undefined]] }
    expect(shown(world)).toEqual([told(0, 5, true), later])
    expect(world.all<Specimen>('Specimen')).toHaveLength(2)
    expect(world.all<Observation>('Observation')).toHaveLength(2)
  })

  it('who swap beds in one visit are refused', async () => {
    const world = await after(['adt', 'ADT^A01', visit()], ['adt', 'ADT^A01', other, visit({ 19: '2' })])
    const before = world.all<Encounter>('Encounter')
    expect(await world.send('adt', 'ADT^A17', first, visit(), other, visit())).toMatchObject(refused)
    expect(world.all<Encounter>('Encounter')).toEqual(before)
  })
})

describe('the number of a patient who has another record in the laboratory', () => {
  const inLaboratory = 'PID|1||L9^^^LAB^PI||RAMGOOLAM^Amina||19800115|F'
  const answer = (number: string): Sent => [
    ...(['oru', 'ORU^R01', inLaboratory, visit(), `ORC|RE|7|${number}`] as const),
    segment('OBR', { 2: '7', 3: number, 4: '2823-3^Potassium^LN', 25: 'F' }),
    'OBX|1|NM|2823-3^Potassium^LN||4|mmol/L|||||F',
  ]
  const ordered: readonly Sent[] = [
    ['adt', 'ADT^A01', visit()],
    ['orm', 'ORM^O01', visit(), 'ORC|NW|7', 'OBR|1|7||K^Potassium^L'],
    ['adt', 'ADT^A31', inLaboratory],
  ]

  it('is theirs: a result is in their visit, and answers their order', async () => {
    const world = await after(...ordered)
    const { status, warnings } = await world.send(...answer('F-1'))
    expect([status, warnings['shared-number']]).toEqual(['SUCCESS', undefined])
    const [report] = world.all<DiagnosticReport>('DiagnosticReport')
    const [order] = world.all<ServiceRequest>('ServiceRequest')
    expect(report?.encounter?.reference).toBe(`Encounter/${world.all<Encounter>('Encounter')[0]?.id}`)
    expect([report?.basedOn?.[0]?.reference, order?.status]).toEqual([`ServiceRequest/${order?.id}`, 'completed'])
    expect(order?.subject.reference).not.toBe(report?.subject?.reference)
  })
})

describe('the number of a report', () => {
  const report = (status: string, day: string, ...obx: readonly string[]): Sent => [
    ...(['oru', 'ORU^R01'] as const),
    ...[segment('OBR', { 3: 'F1^LAB', 4: 'CBC^Blood count^L', 7: day, 25: status }), ...obx],
  ]
  const result = (code: string, value: string) => segment('OBX', { 2: 'NM', 3: `${code}^Result^L`, 5: value, 11: 'F' })
  const first = report('F', '20260304', result('HB', '9'), result('WBC', '5'))
  const ofOther = ([channel, type, ...segments]: Sent): Sent => [channel, type, other, ...segments]

  it.each<[string, Sent]>([
    ['that cancels it', report('X', '20260304')],
    ['of another day', report('F', '20260306', result('HB', '13'))],
  ])('does not give the results of one patient to another by a message %s', async (_what, message) => {
    const world = await after(first)
    const before = [world.all('DiagnosticReport'), world.all('Observation')]
    expect(await world.send(...ofOther(message))).toMatchObject(refused)
    expect([world.all('DiagnosticReport'), world.all('Observation')]).toEqual(before)
  })

  it('takes all its results along where its patient is corrected, also those that are not told again', async () => {
    const world = await after(first, ofOther(report('C', '20260304', result('HB', '13'))))
    const last = `Patient/${world.all('Patient').at(-1)?.id}`
    const results = world.all<Observation>('Observation')
    expect(results.map(({ subject, valueQuantity }) => [subject?.reference, valueQuantity?.value])).toEqual([
      [last, 13],
      [last, 5],
    ])
    expect(world.all<DiagnosticReport>('DiagnosticReport')).toMatchObject([
      { subject: { reference: last }, result: [{}, {}] },
    ])
  })
})

describe('a number that is given again on another day', () => {
  const day = (text: string) => `${text}0900`
  const order = (on: string): Sent => [
    'orm',
    'ORM^O01',
    `ORC|NW|P-1^CLINIC|||||||${day(on)}`,
    'OBR|1|P-1^CLINIC||CBC^Count^L',
  ]
  const drug = (on: string): Sent => [
    ...(['rde', 'RDE^O11', `ORC|NW|P-1^CLINIC|||||||${day(on)}`] as const),
    segment('RXE', { 2: 'A1^Amoxicillin^L', 3: '1', 5: 'mg' }),
  ]
  const document = (on: string): Sent => [
    ...(['mdm', 'MDM^T02'] as const),
    ...[segment('TXA', { 1: '1', 2: 'DS', 6: day(on), 12: 'D-1', 17: 'AU' }), 'OBX|1|TX|S^Summary^L||Well.'],
  ]
  const dose = (on: string): Sent => [
    ...(['adt', 'VXU^V04', 'ORC|RE||V-1^CLINIC'] as const),
    segment('RXA', { 1: '0', 2: '1', 3: on, 5: '03^MMR^CVX', 6: '1', 20: 'CP', 21: 'A' }),
  ]
  const types = ['ServiceRequest', 'MedicationRequest', 'DocumentReference', 'Immunization'] as const
  const all = (world: StagesWorld) => types.map((type) => world.all(type))
  const ofOther = ([channel, type, ...segments]: Sent): Sent => [channel, type, other, ...segments]

  it.each<[string, (on: string) => Sent]>([
    ['an order', order],
    ['a prescription', drug],
    ['a document', document],
    ['a dose', dose],
  ])('does not give %s of one patient to another', async (_what, on) => {
    const world = await after(on('20260304'))
    const before = all(world)
    expect(before.flat()).toHaveLength(1)
    expect(await world.send(...ofOther(on('20260307')))).toMatchObject(refused)
    expect(all(world)).toEqual(before)
    // Within a day it is a correction.
    expect(await world.send(...ofOther(on('20260304')))).toMatchObject({ status: 'SUCCESS' })
    expect(all(world).flat()).toHaveLength(1)
    expect(all(world)).not.toEqual(before)
  })
})

describe('the number of an appointment', () => {
  const booking = (trigger: string, day: string, ...others: readonly string[]): Sent => [
    ...(['siu', `SIU^${trigger}`, `SCH|P1|A1^S|||||CHECK^Visit^L|NORMAL|30|MIN|${time(day)}`] as const),
    ...others,
  ]
  const time = (day: string) => (day === '' ? '' : `^^30^${day}090000`)
  const reason = 'DG1|1||J18.9^Pneumonia^I10'
  const doctor = ['RGS|1', 'AIP|1||1234^SMITH^JOHN']
  const patientsOfAll = (world: StagesWorld) => {
    const ids = world.all('Patient').map(({ id }) => `Patient/${id}`)
    const whose = ({ participant }: Appointment) =>
      participant.flatMap(({ actor }) => (actor?.type === 'Patient' ? [ids.indexOf(actor.reference ?? '')] : []))
    return world.all<Appointment>('Appointment').map(whose)
  }

  it.each<[string, Sent]>([
    ['of another day', booking('S12', '20260311', other, ...doctor)],
    ['that calls it off', booking('S15', '20260310', other)],
    ['that says that they did not come', booking('S26', '20260310', other)],
    ['that deletes it', booking('S17', '', other)],
    ['that calls off a doctor', booking('S20', '20260312', other, ...doctor)],
  ])('does not give that of one patient to another by a message %s', async (_what, message) => {
    const world = await after(booking('S12', '20260310', reason, ...doctor))
    const before = [world.all('Appointment'), world.all('Slot')]
    await world.send(...message)
    expect([world.all('Appointment'), world.all('Slot')]).toEqual(before)
  })

  it.each(['S12', 'S15', 'S16', 'S17', 'S26'])(
    'is not that of a patient where a message names nobody and another day: %s',
    async (trigger) => {
      const world = await after(booking('S12', '20260310', ...doctor))
      const before = [world.all('Appointment'), world.all('Slot')]
      expect(await world.sendAsIs(...booking(trigger, '20260311', ...doctor))).toMatchObject(refused)
      expect([world.all('Appointment'), world.all('Slot')]).toEqual(before)
    },
  )

  it.each<[string, string, object]>([
    ['S13', '20260311', { status: 'booked', start: '2026-03-11T09:00:00+00:00' }],
    ['S14', '20260311', { status: 'booked', start: '2026-03-11T09:00:00+00:00' }],
    ['S12', '20260310', { status: 'booked' }],
    ['S15', '20260310', { status: 'cancelled' }],
    ['S15', '', { status: 'cancelled', start: '2026-03-10T09:00:00+00:00' }],
    ['S17', '', { status: 'entered-in-error' }],
    ['S26', '', { status: 'noshow' }],
  ])('is that of the patient who has it where a message names nobody: %s %s', async (trigger, day, expected) => {
    const world = await after(booking('S12', '20260310', ...doctor))
    expect(await world.sendAsIs(...booking(trigger, day, ...doctor))).toMatchObject({ status: 'SUCCESS' })
    expect(world.all('Appointment')).toMatchObject([expected])
  })

  it('that nobody comes to is booked again on another day, as of a room', async () => {
    const world = new StagesWorld()
    for (const day of ['20260310', '20260311'])
      expect(await world.sendAsIs(...booking('S12', day, ...doctor))).toMatchObject({ status: 'SUCCESS' })
    expect(world.all('Appointment')).toHaveLength(1)
  })

  it('that was missed is not planned for another', async () => {
    const world = await after(booking('S12', '20260310'), booking('S26', '20260310'))
    expect(await world.send(...booking('S12', '20260310', other))).toMatchObject(refused)
  })

  it.each(['S14', 'S18', 'S20'])('is that of a patient who is corrected, and of nobody else: %s', async (trigger) => {
    const world = await after(
      booking('S12', '20260310', 'PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F', reason, ...doctor),
      booking(trigger, '20260310', other),
    )
    expect(patientsOfAll(world)).toEqual([[1]])
    // It was the reason of the first.
    expect(world.all<Appointment>('Appointment')[0]).not.toHaveProperty('reasonReference')
  })

  it('of several is still theirs where one of them stays, and has its reason', async () => {
    const [first, third] = [
      'PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F',
      'PID|2||M3^^^CENTRAL^MR||MENSAH^Kofi||19700101|M',
    ]
    const world = await after(
      booking('S12', '20260310', first, reason, other, ...doctor),
      booking('S14', '20260310', other, third),
    )
    expect(world.all<Appointment>('Appointment')).toMatchObject([{ reasonReference: [{}] }])
    await world.send(...booking('S14', '20260310', 'PID|1||M4^^^CENTRAL^MR||DIALLO^Awa||19900101|F'))
    expect(world.all<Appointment>('Appointment')[0]).not.toHaveProperty('reasonReference')
  })

  it('of its placer that another patient has is that of a second one', async () => {
    const ofFiller = ([channel, type, sch = '', ...more]: Sent, filler: string): Sent => [
      ...([channel, type, sch.replace('A1^S', filler)] as const),
      ...more,
    ]
    const world = await after(
      ofFiller(booking('S12', '20260310'), ''),
      ofFiller(booking('S12', '20260310', other), 'A2^S'),
    )
    expect(patientsOfAll(world)).toEqual([[0], [1]])
  })

  it.each(['S13', 'S14', 'S15', 'S17', 'S20'])('of its placer frees no slot of another’s: %s', async (trigger) => {
    const appointment = (event: string, filler: string, at: string, ...others: readonly string[]): Sent => [
      ...(['siu', `SIU^${event}`, `SCH|P1|${filler}|||||||30|MIN|^^30^${at}`, ...others] as const),
      ...['RGS|1', `AIP|1||1234^SMITH^JOHN|||${at}|||30|MIN`],
    ]
    const world = await after(appointment('S12', '', '20260310090000'))
    await world.send(...appointment(trigger, 'A2', '20260311090000', other))
    const ofFirst = () => world.all<Slot>('Slot').find(({ start }) => start.startsWith('2026-03-10'))
    expect(ofFirst()).toMatchObject({ status: 'busy' })
    await world.send(...appointment('S15', 'A2', '20260311090000', other))
    expect(ofFirst()).toMatchObject({ status: 'busy' })
    await world.send(...appointment('S15', '', '20260310090000'))
    expect(ofFirst()).toMatchObject({ status: 'free' })
  })
})

describe('what becomes another patient’s', () => {
  const admitted: Sent = ['adt', 'ADT^A01', visit()]
  const dose: Sent = [
    ...(['adt', 'VXU^V04', visit(), 'ORC|RE||77'] as const),
    segment('RXA', { 1: '0', 2: '1', 3: '20260304', 5: '08^HepB^CVX', 20: 'CP' }),
  ]
  const report = (about: readonly string[], found: readonly string[] = []): Sent => [
    ...(['oru', 'ORU^R01', ...about] as const),
    segment('OBR', { 3: 'F1', 4: 'CBC^Blood count^L', 7: '20260304', 25: 'F' }),
    ...found,
  ]
  const parts = [
    'OBX|1|ED|PDF^Report^L||^application^pdf^Base64^JVBERi0xLjQK||||||F',
    segment('SPM', { 1: '1', 2: '^T-1', 4: 'BLD' }),
  ]
  const types = new Set<string>([
    ...['Encounter', 'DiagnosticReport', 'Observation', 'Specimen', 'DocumentReference', 'Immunization'],
  ])
  const owners = (world: StagesWorld) =>
    [...world.store.resources.values()]
      .filter(({ resourceType }) => types.has(resourceType))
      .map((one) => patientOf(one)?.reference)

  it.each<[string, readonly Sent[], Sent]>([
    [
      'a visit (A45)',
      [admitted, dose, report([visit()], parts)],
      ['adt', 'ADT^A45', other, 'MRG|M1^^^CENTRAL^MR||||1', visit()],
    ],
    ['a visit (A08)', [admitted, dose, report([visit()], parts)], ['adt', 'ADT^A08', other, visit()]],
    ['a report', [report([], parts)], report([other])],
  ])('takes along its doses, specimens and files: %s', async (_what, told, message) => {
    const world = await after(...told)
    const before = owners(world)
    expect(new Set(before).size).toBe(1)
    expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS' })
    const last = `Patient/${world.all('Patient').at(-1)?.id}`
    expect(owners(world)).toEqual(before.map(() => last))
  })

  it('takes nothing along that is a third patient’s, whatever names it', async () => {
    const found = segment('OBX', { 2: 'NM', 3: 'HB^Haemoglobin^L', 5: '9', 11: 'F' })
    const world = await after(report([], [...parts, found]))
    const named = () => [...world.all<Observation>('Observation'), ...world.all<Specimen>('Specimen')]
    expect(named()).toHaveLength(3)
    for (const one of named())
      await world.store.update({ ...one, id: one.id ?? '', subject: { reference: 'Patient/third' } })
    expect(await world.send(...report([other]))).toMatchObject({ status: 'SUCCESS' })
    expect(new Set(named().map(({ subject }) => subject?.reference))).toEqual(new Set(['Patient/third']))
  })

  it('is nothing that is told again of the same patient, without its visit', async () => {
    const world = await after(admitted, report([visit()]), report([]))
    const [encounter] = world.all('Encounter')
    expect(world.all<DiagnosticReport>('DiagnosticReport')).toMatchObject([
      { encounter: { reference: `Encounter/${encounter?.id}` } },
    ])
  })

  it('is nothing that was found in a visit before its patient was merged into the one who is named now', async () => {
    const world = await after(admitted, report([visit()]), ['adt', 'ADT^A28', other])
    expect(await world.send('adt', 'ADT^A40', other, 'MRG|M1^^^CENTRAL^MR')).toMatchObject({ status: 'SUCCESS' })
    expect(await world.send(...report([other]))).toMatchObject({ status: 'SUCCESS' })
    const [encounter] = world.all('Encounter')
    expect(world.all<DiagnosticReport>('DiagnosticReport')).toMatchObject([
      { encounter: { reference: `Encounter/${encounter?.id}` } },
    ])
  })
})
