import { describe, expect, it } from 'vitest'
import type {
  AllergyIntolerance,
  Appointment,
  Condition,
  DiagnosticReport,
  Encounter,
  Identifier,
  Immunization,
  MedicationRequest,
  Observation,
  Patient,
  Procedure,
  RelatedPerson,
  ServiceRequest,
  Slot,
  Specimen,
} from '../../../packages/fhir/r4.ts'
import { segment } from '../mapping/testing/segment.ts'
import { StagesWorld } from '../testing/stages-world.ts'
import type { ChannelId } from './channel.ts'

/** `P` and `F` are the placer's and the filler's number, in every order in which messages may have them. */
const courses = [
  ['P', 'PF', 'F'],
  ['P', 'PF', 'P'],
  ['F', 'PF', 'P'],
  ['F', 'PF', 'F'],
  ['PF', 'F', 'P'],
  ['PF', 'P', 'F'],
] as const

const placer = (has: string, number = '1') => (has.includes('P') ? `P-${number}^HIS` : '')
const filler = (has: string, number = '1') => (has.includes('F') ? `F-${number}^LAB` : '')

type Sent = readonly [channel: ChannelId, type: string, ...segments: string[]]

const order = (has: string, code = 'K^Potassium^L'): Sent => [
  ...(['orm', 'ORM^O01', `ORC|NW|${placer(has)}|${filler(has)}`] as const),
  `OBR|1|${placer(has)}|${filler(has)}|${code}`,
  'OBX|1|ST|ASK^Fasting?^L||yes||||||F',
]
const result = (has: string, value = '4', status = 'F'): Sent => [
  ...(['oru', 'ORU^R01', `ORC|RE|${placer(has)}|${filler(has)}`] as const),
  segment('OBR', { 2: placer(has), 3: filler(has), 4: 'K^Potassium^L', 7: '20260304', 25: status }),
  `OBX|1|NM|K^Potassium^L||${value}|mmol/L|||||${status}`,
]
const prescription = (has: string): Sent => [
  ...(['rde', 'RDE^O11', `ORC|NW|${placer(has)}|${filler(has)}`, 'RXE||AMX^Amoxicillin^L|500||mg'] as const),
  ...['RXR|PO', 'RXC|B|WATER^Water^L|10|mL', 'RXC|A|AMX^Amoxicillin^L|500|mg'],
]
const dose = (has: string): Sent => [
  ...(['adt', 'VXU^V04', `ORC|RE|${placer(has)}|${filler(has)}`] as const),
  segment('RXA', { 1: '0', 2: '1', 3: '20260304', 5: '08^HepB^CVX', 6: '1', 20: 'CP' }),
  'OBX|1|CE|59784-9^Disease with presumed immunity^LN|1|V^Varicella^L||||||F',
]
const specimen = (has: string): Sent => {
  const number = `${placer(has).replace('^', '&')}^${filler(has).replace('^', '&')}`
  return ['oru', 'ORU^R01', 'OBR|1||R-1^LAB|K^Potassium^L|||20260304', `SPM|1|${number}||BLD`]
}
const visit = (has: string): Sent => [
  ...([
    'adt',
    'ADT^A08',
    segment('PV1', { 2: 'I', 19: has.includes('P') ? 'V-1' : '', 50: has.includes('F') ? 'A-1' : '' }),
  ] as const),
  'DG1|1||J18.9^Pneumonia^I10',
]
const appointment = (has: string, time: string): Sent => [
  ...(['siu', 'SIU^S13', `SCH|${placer(has)}|${filler(has)}|||||CHECK^Check-up^L|NORMAL|30|MIN|^^30^${time}`] as const),
  ...['RGS|1', 'AIP|1||1234^SMITH^JOHN'],
]

async function after(...messages: readonly Sent[]): Promise<StagesWorld> {
  const world = new StagesWorld()
  for (const [channel, type, ...segments] of messages) {
    const outcome = await world.send(channel, type, ...segments)
    expect(outcome.status).toBe('SUCCESS')
    expect(outcome.warnings).not.toHaveProperty('shared-number')
  }
  return world
}

const numbersOf = ({ identifier = [] }: { readonly identifier?: readonly Identifier[] | undefined }) =>
  identifier.flatMap(({ value = '' }) => (/^[PFVA]-/.test(value) ? [value] : [])).sort()

describe.each(courses)('what is told of by %s, then %s, then %s', (...course) => {
  it('as an order is one order, with the answers that belong to it', async () => {
    const world = await after(...course.map((has) => order(has)))
    expect(world.all<ServiceRequest>('ServiceRequest').map(numbersOf)).toEqual([['F-1', 'P-1']])
    expect(world.all<Observation>('Observation')).toHaveLength(1)
  })

  it('as a result is one report of one order with the last value', async () => {
    const world = await after(...course.map((has, at) => result(has, String(at), at === 0 ? 'P' : 'C')))
    expect(world.all<ServiceRequest>('ServiceRequest').map(numbersOf)).toEqual([['F-1', 'P-1']])
    expect(world.all<DiagnosticReport>('DiagnosticReport').map((one) => one.result?.length)).toEqual([1])
    expect(world.all<Observation>('Observation').map((one) => one.valueQuantity?.value)).toEqual([2])
  })

  it('as a prescription is one, of one compound', async () => {
    const world = await after(...course.map((has) => prescription(has)))
    expect(world.all<MedicationRequest>('MedicationRequest').map(numbersOf)).toEqual([['F-1', 'P-1']])
    expect(world.all('Medication')).toHaveLength(1)
  })

  it('as a prescription that an ORC alone calls off is called off', async () => {
    const calledOff = (has: string): Sent => ['rde', 'RDE^O11', `ORC|CA|${placer(has)}|${filler(has)}`]
    const [first, second, last] = course
    const world = await after(prescription(first), prescription(second), calledOff(last))
    expect(world.all<MedicationRequest>('MedicationRequest').map(({ status }) => status)).toEqual(['cancelled'])
    const alone = await after(prescription(first), calledOff('PF'))
    expect(alone.all<MedicationRequest>('MedicationRequest').map(({ status }) => status)).toEqual(['cancelled'])
  })

  it('as a dose is one dose', async () => {
    const world = await after(...course.map((has) => dose(has)))
    expect(world.all<Immunization>('Immunization').map(numbersOf)).toEqual([['F-1', 'P-1']])
    expect(world.all<Observation>('Observation')).toHaveLength(1)
  })

  it('as a specimen is one tube', async () => {
    const world = await after(...course.map((has) => specimen(has)))
    expect(world.all<Specimen>('Specimen').map(numbersOf)).toEqual([['F-1', 'P-1']])
  })

  it('as a visit is one visit with one diagnosis', async () => {
    const world = await after(...course.map((has) => visit(has)))
    expect(world.all<Encounter>('Encounter').map(numbersOf)).toEqual([['A-1', 'V-1']])
    expect(world.all<Condition>('Condition')).toHaveLength(1)
  })

  it('as an appointment that is called off without a word of whom it needed leaves its slot free', async () => {
    const [first, second, last] = course
    const calledOff: Sent = ['siu', 'SIU^S15', `SCH|${placer(last)}|${filler(last)}`]
    const time = '20260310090000'
    const world = await after(appointment(first, time), appointment(second, time), calledOff)
    expect(world.all<Appointment>('Appointment').map(({ status }) => status)).toEqual(['cancelled'])
    expect(world.all<Slot>('Slot').map(({ status }) => status)).toEqual(['free'])
  })

  it('as an appointment that moves is one, and has one slot', async () => {
    const world = await after(...course.map((has, at) => appointment(has, `2026031009${at}000`)))
    expect(world.all<Appointment>('Appointment').map(numbersOf)).toEqual([['F-1', 'P-1']])
    expect(world.all<Slot>('Slot').map(({ status }) => status)).toEqual(['free', 'free', 'busy'])
  })
})

it('a visit whose number was changed has the diagnosis that it had', async () => {
  const change = ['adt', 'ADT^A50', 'MRG|M1^^^CENTRAL^MR||||V-1', segment('PV1', { 2: 'I', 19: 'V-2' })] as const
  const renumbered = ['adt', 'ADT^A08', segment('PV1', { 2: 'I', 19: 'V-2' }), ...visit('P').slice(3)] as const
  const world = await after(visit('P'), change, renumbered)
  expect(world.all<Encounter>('Encounter').map(numbersOf)).toEqual([['V-1', 'V-2']])
  expect(world.all<Condition>('Condition')).toHaveLength(1)
})

const ofNumbers = (placerNumber: string, fillerNumber: string, code = 'K^Potassium^L', value = '4'): Sent => [
  ...(['oru', 'ORU^R01', `ORC|RE|${placerNumber}|${fillerNumber}`] as const),
  segment('OBR', { 2: placerNumber, 3: fillerNumber, 4: code, 7: '20260304', 25: 'F' }),
  `OBX|1|NM|K^Potassium^L||${value}|mmol/L|||||F`,
]

describe('a second service, drug or vaccine under a stored number, in a message of its own', () => {
  const drug = (code: string): Sent => ['rde', 'RDE^O11', 'ORC|NW|P-1^HIS', `RXE||${code}|500||mg`]
  const vaccine = (code: string): Sent => {
    const [channel, type, orc = '', rxa = ''] = dose('P')
    return [channel, type, orc, rxa.replace('08^HepB^CVX', code)]
  }

  it.each<[string, Sent, Sent]>([
    ['a service', order('P'), order('P', 'NA^Sodium^L')],
    ['a drug', drug('AMX^Amoxicillin^L'), drug('WRF^Warfarin^L')],
    ['a vaccine', dose('P'), vaccine('20^DTaP^CVX')],
  ])('replaces the first, which may be corrected, and somebody is told to look: %s', async (_what, first, second) => {
    const world = await after(first, first)
    expect(await world.send(...second)).toMatchObject({ status: 'SUCCESS', warnings: { 'other-service': 1 } })
    const again = await world.send(...second)
    expect(again.warnings).not.toHaveProperty('other-service')
  })

  it('is nothing to look at where it is told apart, only mentioned, or told for the first time', async () => {
    const both: Sent = [...order('P').slice(0, 4), ...order('P', 'NA^Sodium^L').slice(2, 4)] as unknown as Sent
    const world = await after(both)
    const calledOff: Sent = ['rde', 'RDE^O11', 'ORC|CA|P-2^HIS']
    const told: Sent = ['rde', 'RDE^O11', 'ORC|NW|P-2^HIS', 'RXE||WRF^Warfarin^L|500||mg']
    for (const message of [
      order('P', 'NA^Sodium^L'),
      ofNumbers('P-1^HIS', 'F-9^LAB', 'CL^Chloride^L'),
      calledOff,
      told,
    ]) {
      const { status, warnings } = await world.send(...message)
      expect([status, warnings['other-service']]).toEqual(['SUCCESS', undefined])
    }
  })
})

describe('things that share a number', () => {
  const shownOrders = (world: StagesWorld) =>
    world.all<ServiceRequest>('ServiceRequest').map((one) => [one.code?.text, ...numbersOf(one)])
  const values = (world: StagesWorld) =>
    world.all<Observation>('Observation').map(({ valueQuantity }) => valueQuantity?.value)

  it('are two where their other numbers differ: a laboratory numbers the tube, or an order is repeated', async () => {
    const tube = await after(ofNumbers('P-1', 'F-1'), ofNumbers('P-2', 'F-1', 'NA^Sodium^L', '140'))
    expect(shownOrders(tube)).toEqual([
      ['Potassium', 'F-1', 'P-1'],
      ['Sodium', 'F-1', 'P-2'],
    ])
    const series = await after(ofNumbers('P-1', 'F-1'), ofNumbers('P-1', 'F-2', 'K^Potassium^L', '5'))
    expect(series.all<DiagnosticReport>('DiagnosticReport')).toHaveLength(2)
    expect(values(series)).toEqual([4, 5])
  })

  it('are told apart by the service where a message has nothing but that number', async () => {
    const tube = [ofNumbers('P-1', 'F-1'), ofNumbers('P-2', 'F-1', 'NA^Sodium^L', '140')] as const
    const world = await after(...tube, ofNumbers('', 'F-1', 'NA^Sodium^L', '139'))
    expect(shownOrders(world)).toEqual([
      ['Potassium', 'F-1', 'P-1'],
      ['Sodium', 'F-1', 'P-2'],
    ])
    expect(values(world)).toEqual([4, 139])
    const unclear = await world.send('orm', 'ORM^O01', 'ORC|OC||F-1')
    expect(unclear).toMatchObject({ status: 'ERROR', code: 'AE' })
  })

  it('are two where the service differs, although one has no other number yet', async () => {
    const world = await after(ofNumbers('', 'F-1', 'NA^Sodium^L', '140'), ofNumbers('P-1', 'F-1'))
    expect(shownOrders(world)).toEqual([
      ['Sodium', 'F-1'],
      ['Potassium', 'F-1', 'P-1'],
    ])
  })

  it('are two where they are of two patients', async () => {
    const other = 'PID|1||M2^^^CENTRAL^MR||OKONKWO^Adaeze||19510213|F'
    const world = await after(visit('F'))
    const theirs: Sent = ['adt', 'ADT^A08', other, ...visit('PF').slice(2)]
    expect(await world.send(...theirs)).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 1 } })
    expect(world.all<Encounter>('Encounter').map(numbersOf)).toEqual([['A-1'], ['A-1', 'V-1']])
    expect((await world.send(...theirs)).warnings).not.toHaveProperty('shared-number')
  })

  it('of one message take nothing of what the number found before', async () => {
    const [, , ...first] = ofNumbers('P-1', 'F-1', 'K^Potassium^L', '5')
    const [, , ...second] = ofNumbers('P-1', 'F-2', 'K^Potassium^L', '6')
    const world = await after(ofNumbers('P-1', ''), ['oru', 'ORU^R01', ...first, ...second])
    expect(values(world)).toEqual([4, 5, 6])
  })

  it('of which the filler has numbered each are told apart by that', async () => {
    const pair = ['K^Potassium^L', 'NA^Sodium^L'].flatMap((code, at) => [
      `ORC|NW|P-1^HIS|F-${at}^LAB`,
      `OBR|1|P-1^HIS|F-${at}^LAB|${code}`,
    ])
    const world = await after(['orm', 'ORM^O01', ...pair], ['orm', 'ORM^O01', 'ORC|OC|P-1^HIS|F-1^LAB'])
    expect(world.all<ServiceRequest>('ServiceRequest').map(({ code, status }) => [code?.text, status])).toEqual([
      ['Potassium', 'active'],
      ['Sodium', 'revoked'],
    ])
  })
})

describe('the second of several of one number, alone', () => {
  const ordered = (control: string, own: string, code: string) => [
    `ORC|${control}|P-1^HIS|${own}`,
    `OBR|1|P-1^HIS|${own}|${code}`,
  ]
  const [potassium, sodium] = ['K^Potassium^L', 'NA^Sodium^L'] as const
  const orders = (world: StagesWorld) =>
    world.all<ServiceRequest>('ServiceRequest').map(({ code, status }) => [code?.text, status])

  it.each<[string, Sent, string]>([
    ['called off', ['orm', 'ORM^O01', ...ordered('OC', '', sodium)], 'revoked'],
    ['called off by the filler', ['orm', 'ORM^O01', ...ordered('OC', 'F-2^LAB', sodium)], 'revoked'],
    [
      'reported',
      ['oru', 'ORU^R01', 'ORC|RE|P-1^HIS|F-2^LAB', `OBR|1|P-1^HIS|F-2^LAB|${sodium}${'|'.repeat(21)}F`],
      'completed',
    ],
  ])('is %s, and the first is as it was', async (_what, message, status) => {
    const world = await after(
      ['orm', 'ORM^O01', ...ordered('NW', '', potassium), ...ordered('NW', '', sodium)],
      message,
    )
    const expected = [
      ['Potassium', 'active'],
      ['Sodium', status],
    ]
    expect(orders(world)).toEqual(expected)
    await world.send(...message)
    expect(orders(world)).toEqual(expected)
    await world.send('orm', 'ORM^O01', ...ordered('OC', '', potassium))
    expect(orders(world)[0]).toEqual(['Potassium', 'revoked'])
  })

  it('is a prescription that is stopped, and the first goes on', async () => {
    const drug = (control: string, name: string) => [
      `ORC|${control}|R-1^HIS`,
      segment('RXE', { 2: `${name}^${name}^L`, 3: '1', 5: 'TAB' }),
    ]
    const world = await after(
      ['rde', 'RDE^O11', ...drug('NW', 'Amoxicillin'), ...drug('NW', 'Ibuprofen')],
      ['rde', 'RDE^O11', ...drug('DC', 'Ibuprofen')],
    )
    const drugs = world.all<MedicationRequest>('MedicationRequest')
    expect(drugs.map((one) => [one.medicationCodeableConcept?.text, one.status])).toEqual([
      ['Amoxicillin', 'active'],
      ['Ibuprofen', 'stopped'],
    ])
  })
})

describe('several reports of one number and service', () => {
  const hours = (time: string, value: string): string[] => [
    segment('OBR', { 2: 'P-1^HIS', 3: 'F-1^LAB', 4: 'GTT^Tolerance^L', 7: time, 25: 'F' }),
    `OBX|1|NM|GLU^Glucose^L||${value}|mmol/L|||||F`,
  ]
  const organism = (parent: string, value: string): string[] => [
    segment('OBR', { 3: 'F-1^LAB', 4: 'SUSC^Susceptibility^L', 7: '20260304', 25: 'F', 26: parent }),
    `OBX|1|ST|AMP^Ampicillin^L||${value}||||||F`,
  ]
  const told = (world: StagesWorld) =>
    world.all<Observation>('Observation').map((one) => one.valueQuantity?.value ?? one.valueString)
  const numbered = (world: StagesWorld) =>
    world.all<DiagnosticReport>('DiagnosticReport').map(({ identifier = [] }) => identifier.map(({ value }) => value))

  it.each([
    ['hour', hours('202603040800', '4'), hours('202603041000', '8'), hours('202603041000', '9'), [4, 9]],
    ['hour, the first', hours('202603040800', '4'), hours('202603041000', '8'), hours('202603040800', '5'), [5, 8]],
    ['organism', organism('ORG&O&L^1', 'S'), organism('ORG&O&L^2', 'R'), organism('ORG&O&L^2', 'I'), ['S', 'I']],
  ])('are told apart where one %s comes again', async (_what, first, second, again, expected) => {
    const world = await after(['oru', 'ORU^R01', ...first, ...second])
    const before = numbered(world)
    expect(await world.send('oru', 'ORU^R01', ...again)).toMatchObject({ status: 'SUCCESS' })
    expect(told(world)).toEqual(expected)
    expect(numbered(world)).toEqual(before)
    const whole = await world.send('oru', 'ORU^R01', ...first, ...second)
    expect(whole).toMatchObject({ status: 'SUCCESS' })
    expect(numbered(world)).toEqual(before)
  })

  it('are told apart where one organism comes after the other, each alone', async () => {
    const tested = (number: string, value: string) => organism(`ORG&O&L^${number}`, value)
    const found = (number: string, value: string): Sent => [
      ...(['oru', 'ORU^R01'] as const),
      segment('OBR', { 3: 'F-1^LAB', 4: 'CULT^Culture^L', 7: '20260304', 25: 'P' }),
      `OBX|1|ST|ORG^O^L|${number}|organism ${number}||||||F`,
      ...tested(number, value),
    ]
    const world = await after(found('1', 'S'), found('2', 'R'))
    const valueOf = (reference = '') => (world.store.resources.get(reference) as Observation | undefined)?.valueString
    const members = () =>
      world
        .all<Observation>('Observation')
        .flatMap(({ valueString, hasMember = [] }) =>
          hasMember.map(({ reference }) => `${valueString}: ${valueOf(reference)}`),
        )
    expect(members()).toEqual(['organism 1: S', 'organism 2: R'])
    // In another order; and corrected alone, with its time.
    await world.send('oru', 'ORU^R01', ...tested('2', 'I'), ...tested('1', 'S'))
    await world.send('oru', 'ORU^R01', ...tested('1', 'R').map((one) => one.replace('20260304', '20260305')))
    expect(members()).toEqual(['organism 1: R', 'organism 2: I'])
    expect(numbered(world)).toHaveLength(3)
  })

  it('are one where its time was corrected', async () => {
    const world = await after(['oru', 'ORU^R01', ...hours('202603040800', '4')])
    await world.send('oru', 'ORU^R01', ...hours('202603040815', '5'))
    expect(told(world)).toEqual([5])
  })
})

describe('a number that one authority gives as a placer and as a filler', () => {
  const other = 'PID|1||M2^^^CENTRAL^MR||OKONKWO^Adaeze||19510213|F'
  const ofOther = ([channel, type, ...segments]: Sent): Sent => [channel, type, other, ...segments]
  const told = (world: StagesWorld) =>
    world
      .all<Observation>('Observation')
      .map(({ subject, valueQuantity }) => `${subject?.reference} ${valueQuantity?.value}`)
  const first = ofNumbers('1001^CENTRAL', '900^CENTRAL')
  const second = ofNumbers('1002^CENTRAL', '1001^CENTRAL', 'K^Potassium^L', '9')
  const again = (placerNumber: string, fillerNumber: string) =>
    ofNumbers(placerNumber, fillerNumber, 'K^Potassium^L', '5')

  it.each([
    ['of one patient', second],
    ['of two patients', ofOther(second)],
  ])('is that of two orders %s, and each has its report', async (_whose, message) => {
    const world = await after(first, message)
    expect(world.all<ServiceRequest>('ServiceRequest')).toHaveLength(2)
    expect(world.all<DiagnosticReport>('DiagnosticReport').map((one) => one.result?.length)).toEqual([1, 1])
    const [whose = '', others = ''] = world.all('Patient').map(({ id }) => `Patient/${id}`)
    expect(told(world)).toEqual([`${whose} 4`, `${others || whose} 9`])
  })

  it.each([
    ['the placer', again('1001^CENTRAL', ''), [5, 9]],
    ['the filler', again('', '1001^CENTRAL'), [4, 5]],
  ])('finds the order of which it is the number of %s', async (_whose, correction, values) => {
    const world = await after(first, second, correction)
    expect(world.all<Observation>('Observation').map(({ valueQuantity }) => valueQuantity?.value)).toEqual(values)
    expect(world.all<ServiceRequest>('ServiceRequest')).toHaveLength(2)
  })

  it('takes no order of another patient, where it is the only number', async () => {
    const world = await after(['orm', 'ORM^O01', 'ORC|NW||1001^CENTRAL', 'OBR|1||1001^CENTRAL|K^Potassium^L'])
    const ofPlacer = ['orm', 'ORM^O01', other, 'ORC|NW|1001^CENTRAL', 'OBR|1|1001^CENTRAL||NA^Sodium^L'] as const
    expect(await world.send(...ofPlacer)).toMatchObject({ status: 'ERROR', code: 'AE' })
    expect(world.all<ServiceRequest>('ServiceRequest').map(({ code }) => code?.text)).toEqual(['Potassium'])
  })
})

describe('one thing that is stored twice, once by each number', () => {
  it('is written to by its key, keeps its numbers apart, and somebody is told', async () => {
    const world = await after(visit('P'), visit('F'))
    expect(await world.send(...visit('PF'))).toMatchObject({ status: 'SUCCESS', warnings: { 'shared-number': 1 } })
    expect(world.all<Encounter>('Encounter').map(numbersOf)).toEqual([['V-1'], ['A-1']])
    const { status, warnings } = await world.send(...visit('F'))
    expect([status, warnings['shared-number']]).toEqual(['SUCCESS', undefined])
  })
})

describe('the store is asked once what it has', () => {
  it.each([
    ['orders', order],
    ['results', result],
    ['prescriptions', prescription],
    ['doses', dose],
    ['specimens', specimen],
    ['visits', visit],
    ['appointments', (has: string) => appointment(has, '20260310090000')],
  ] as const)('of %s by both numbers, new and known', async (_what, message) => {
    for (const has of ['PF', 'P', 'F']) {
      const world = await after(message(has), message(has), message(has))
      expect(world.finds).toBe(3)
    }
  })

  it('and once more where what belongs to it was first told of by the other number', async () => {
    const world = await after(result('P'), result('PF'))
    expect(world.finds).toBe(3)
  })
})

describe('what a patient has without a number is told once, whichever number of theirs a message has', () => {
  const person = (numbers: string) => segment('PID', { 3: numbers, 5: 'RAMGOOLAM^Amina', 7: '19800115', 8: 'F' })
  const told = (numbers: string): Sent => [
    ...(['adt', 'ADT^A31', person(numbers), 'NK1|1|DIOP^Awa|SPO'] as const),
    ...['AL1|1|DA|PCN^Penicillin^L|SV', 'DG1|1||J18.9^Pneumonia^I10'],
  ]
  const changed = (from: string, to: string): Sent => ['adt', 'ADT^A47', person(to), `MRG|${from}`]
  const [one, other, third] = ['M1^^^CENTRAL^MR', 'M2^^^CENTRAL^MR', 'M3^^^CENTRAL^MR'] as const

  it.each<[string, readonly Sent[]]>([
    ['a new one in front', [told(one), told(`${other}~${one}`), told(`${other}~${one}`), told(one)]],
    ['another order', [told(`${one}~${other}`), told(`${other}~${one}`)]],
    ['the one that it became', [told(one), changed(one, other), told(other), changed(other, third), told(third)]],
    ['the old one and the new one', [told(one), changed(one, other), told(one), told(other), told(one)]],
  ])('%s', async (_which, messages) => {
    const world = await after(...messages)
    expect(world.all<Patient>('Patient')).toHaveLength(1)
    const found = (['AllergyIntolerance', 'RelatedPerson', 'Condition'] as const).map(
      (type) => world.all<AllergyIntolerance | RelatedPerson | Condition>(type).length,
    )
    expect(found).toEqual([1, 1, 1])
  })

  it('and the old one stays so until the number changes back', async () => {
    const world = await after(told(one), changed(one, other), told(one))
    const uses = () =>
      world.all<Patient>('Patient').map(({ identifier }) => identifier?.map(({ value, use }) => [value, use]))
    expect(uses()).toEqual([
      [
        ['M1', 'old'],
        ['M2', undefined],
      ],
    ])
    await world.send(...changed(other, one))
    expect(uses()).toEqual([
      [
        ['M1', undefined],
        ['M2', 'old'],
      ],
    ])
  })

  it('and costs nothing where it is the first', async () => {
    const world = await after(told(`${one}~${other}`), told(`${one}~${other}`))
    expect(world.finds).toBe(2)
  })
})

describe('what is told without a number first and with one later is one', () => {
  const iam = (number: string, action: string, code = 'PCN^Penicillin^L') =>
    segment('IAM', { 1: '1', 2: 'DA', 3: code, 6: action, 7: number })
  const al1 = (code = 'PCN^Penicillin^L') => `AL1|1|DA|${code}|SV`
  const told = (...segments: readonly string[]): Sent => ['adt', 'ADT^A31', ...segments]
  const allergies = (world: StagesWorld) =>
    world
      .all<AllergyIntolerance>('AllergyIntolerance')
      .map(({ code, verificationStatus }) => `${code?.text} ${verificationStatus?.coding?.[0]?.code}`)

  it.each<[string, readonly Sent[]]>([
    ['AL1 and then IAM', [told(al1()), told(iam('I1^EHR', 'A'))]],
    ['IAM and then AL1', [told(iam('I1^EHR', 'A')), told(al1())]],
  ])('as an allergy by %s, which IAM then takes back', async (_how, messages) => {
    const world = await after(...messages)
    expect(allergies(world)).toEqual(['Penicillin unconfirmed'])
    await world.send(...told(iam('I1^EHR', 'D')))
    expect(allergies(world)).toEqual(['Penicillin entered-in-error'])
  })

  it('but not as an allergy that is numbered twice, of another substance now, or taken back by a number that nobody knows', async () => {
    const twice = await after(told(iam('I1^EHR', 'A')), told(iam('I2^EHR', 'A')), told(iam('I2^EHR', 'D')), told(al1()))
    expect(allergies(twice)).toEqual(['Penicillin unconfirmed', 'Penicillin entered-in-error'])
    const changed = told(iam('I1^EHR', 'U', 'AMX^Amoxicillin^L'))
    const corrected = await after(told(iam('I1^EHR', 'A')), changed, told(al1()), told(al1('AMX^Amoxicillin^L')))
    expect(allergies(corrected)).toEqual(['Amoxicillin unconfirmed', 'Penicillin unconfirmed'])
    const others = await after(told(al1()), told(iam('I9^EHR', 'D')))
    expect(allergies(others)).toEqual(['Penicillin unconfirmed', 'Penicillin entered-in-error'])
  })

  it('as a diagnosis and as a procedure, which are then taken back', async () => {
    const treated = (number: string, action = ''): Sent => [
      ...(['adt', 'ADT^A08', segment('PV1', { 2: 'I', 19: 'V-1' })] as const),
      segment('DG1', { 1: '1', 3: 'J18.9^Pneumonia^I10', 20: number, 21: action }),
      segment('PR1', { 1: '1', 3: '47.0^Appendectomy^L', 5: '20260304', 19: number, 20: action }),
    ]
    const world = await after(treated(''), treated('1'), treated('1', 'D'))
    expect(world.all<Condition>('Condition')).toMatchObject([
      { verificationStatus: { coding: [{ code: 'entered-in-error' }] } },
    ])
    expect(world.all<Procedure>('Procedure').map(({ status }) => status)).toEqual(['entered-in-error'])
    const timed = (time: string) => ['adt', 'ADT^A08', `PR1|1||47.0^Appendectomy^L||${time}`] as const
    const once = await after(timed('202603040915'), timed('20260304091500'), timed('20260304091500+0000'))
    expect(once.all('Procedure')).toHaveLength(1)
    const two = await after(treated(''), treated('1'), treated('2'))
    expect([two.all('Condition').length, two.all('Procedure').length]).toEqual([2, 2])
  })

  it('as a visit, with its diagnosis, where it began in the same minute', async () => {
    const seen = (number: string, admitted: string): Sent => [
      ...(['adt', 'ADT^A08', segment('PV1', { 2: 'O', 19: number, 44: admitted })] as const),
      'DG1|1||J18.9^Pneumonia^I10',
    ]
    const world = await after(seen('', '202603041000'), seen('V-1', '202603041000'), seen('V-2', '202603041000'))
    expect(world.all<Encounter>('Encounter').map(numbersOf)).toEqual([['V-1'], ['V-2']])
    const same = await after(seen('', '202603041000'), seen('V-1', '202603041000'))
    expect(same.all('Condition')).toHaveLength(1)
    const ofDay = await after(seen('', '20260304'), seen('V-1', '20260304'))
    expect(ofDay.all('Encounter')).toHaveLength(2)
    const written = await after(
      seen('', '202603041000'),
      seen('', '20260304100030'),
      seen('V-1', '20260304100000+0000'),
    )
    expect([written.all('Encounter').length, written.all('Condition').length]).toEqual([1, 1])
  })
})
