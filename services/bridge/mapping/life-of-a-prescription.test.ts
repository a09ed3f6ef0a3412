import { describe, expect, it } from 'vitest'
import type { Dosage, Medication, MedicationRequest, ServiceRequest } from '../../../packages/fhir/r4.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { segment } from './testing/segment.ts'
import { SmallStore } from './testing/small-store.ts'

let controlId = 0
const message = (control: string, ...segments: readonly string[]) =>
  [
    `MSH|^~\\&|PHARMACY|CENTRAL|||20260304091500+0400||RDE^O11|${++controlId}|P|2.5.1`,
    'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F',
    `ORC|${control}|RX-1^HIS`,
    ...segments,
  ].join('\r')

const drug = 'RXE||197361^Amlodipine^RXNORM|5||mg^mg^UCUM'

function ordersAfter(...messages: readonly string[]) {
  const store = new SmallStore()
  for (const text of messages) {
    const mapping = mapInPasses(text)
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    store.apply(mapping)
  }
  const [order, ...others] = store.ofType<MedicationRequest>('MedicationRequest')
  if (order === undefined || others.length > 0) throw new Error('the store has not one prescription')
  const services = store.ofType<ServiceRequest>('ServiceRequest')
  return { order, services, medications: store.ofType<Medication>('Medication') }
}

/** Dose, times, way and words of each dosage. */
const shown = ({ dosageInstruction = [] }: MedicationRequest) => dosageInstruction.map(dosageText)

function dosageText({ doseAndRate: [first] = [], timing, route, asNeededBoolean, text }: Dosage): string {
  const { doseQuantity, doseRange, rateRatio } = first ?? {}
  return [
    doseQuantity?.value ?? (doseRange && `${doseRange.low?.value}-${doseRange.high?.value}`),
    rateRatio && `at ${rateRatio.numerator?.value}`,
    timing?.code?.coding?.[0]?.code,
    asNeededBoolean === true ? 'if needed' : undefined,
    route?.coding?.[0]?.code,
    text,
  ]
    .filter((part) => part !== undefined)
    .join(' ')
}

const ordered = message('NW', `${drug}|TAB^Tablet||||30|TAB|2`, 'TQ1|1||BID', 'RXR|PO^Oral^HL70162')

describe('a prescription', () => {
  it.each([
    ['', 'stopped'],
    ['DISCONTINUED', 'stopped'],
    ['HD', 'on-hold'],
  ])('is discontinued with "%s" in ORC-5: it is %s', (sent, status) => {
    const stop = message('DC', drug).replace('ORC|DC|RX-1^HIS', `$&|||${sent}`)
    expect(ordersAfter(ordered, stop).order.status).toBe(status)
  })

  const asSaid = (control: string, status: string) =>
    message(control, drug).replace(`ORC|${control}|RX-1^HIS`, `$&|||${status}`)

  it.each([
    ['RF', ''],
    ['RF', 'APPROVED'],
    ['SC', ''],
    ['SC', 'SUSPENDED'],
    ['XO', ''],
    ['XR', ''],
    ['NA', ''],
    ['OK', 'SUSPENDED'],
    ['NW', 'SUSPENDED'],
  ])('that is stopped is not active again because of %s with "%s" in ORC-5', (control, status) => {
    expect(ordersAfter(ordered, message('DC', drug), asSaid(control, status)).order.status).toBe('stopped')
  })

  it.each([
    ['RL', '', 'active'],
    ['AF', '', 'active'],
    ['SC', 'IP', 'active'],
    ['SC', 'CM', 'completed'],
    ['HD', 'SUSPENDED', 'on-hold'],
  ])('that is stopped becomes what %s with "%s" in ORC-5 says: %s', (control, told, status) => {
    expect(ordersAfter(ordered, message('DC', drug), asSaid(control, told)).order.status).toBe(status)
  })

  it.each([
    ['NW', 'SUSPENDED', 'active'],
    ['XO', '', 'active'],
    ['RF', '', 'unknown'],
    ['SC', '', 'unknown'],
    ['SC', 'SUSPENDED', 'unknown'],
    ['DC', 'SUSPENDED', 'stopped'],
  ])('that nobody knows is told of with %s and "%s" in ORC-5: it is %s', (control, told, status) => {
    expect(ordersAfter(asSaid(control, told)).order.status).toBe(status)
  })

  it.each(['A', 'IP', 'SC'])('is not carried out any more, though ORC-5 says what it was until then: %s', (before) => {
    const status = (control: string) => ordersAfter(ordered, asSaid(control, before)).order.status
    for (const control of ['DC', 'DR', 'OD']) expect(status(control), control).toBe('stopped')
    for (const control of ['CA', 'CR', 'OC', 'UA', 'RP']) expect(status(control), control).toBe('cancelled')
    for (const control of ['HD', 'HR', 'OH']) expect(status(control), control).toBe('on-hold')
  })

  it('was written when it was new, and not when it was stopped', () => {
    const at = (control: string, time: string) =>
      message(control, drug).replace(`ORC|${control}|RX-1^HIS`, `$&|||||||${time}`)
    const written = '2026-03-01T08:00:00+04:00'
    expect(ordersAfter(at('NW', '202603010800')).order.authoredOn).toBe(written)
    expect(ordersAfter(at('NW', '202603010800'), at('DC', '202603040915')).order.authoredOn).toBe(written)
    expect(ordersAfter(at('', '202603010800')).order.authoredOn).toBe(written)
    expect(ordersAfter(at('XO', '202603010800')).order).not.toHaveProperty('authoredOn')
  })

  it('of a status that no table has is warned of', () => {
    const { warnings } = mapInPasses(message('DC', drug).replace('ORC|DC|RX-1^HIS', '$&|||DISCONTINUED'))
    expect(warnings).toMatchObject([{ kind: 'unknown-value', path: 'ORC-5' }])
  })

  it.each([
    ['after meals', 'Do not drive.', 'after meals\nDo not drive.'],
    ['after meals', 'after meals', 'after meals'],
    ['', 'Do not drive.', 'Do not drive.'],
    ['after meals', '', 'after meals'],
  ])('has what TQ1-11 (%j) and what RXE-21 (%j) say as words for people', (instruction, label, text) => {
    const tq1 = segment('TQ1', { 1: '1', 11: instruction })
    const rxe = segment('RXE', { 2: '723^Amoxicillin^RXNORM', 3: '250', 5: 'mg', 21: label && `X^${label}^L` })
    const { order } = ordersAfter(message('NW', tq1, rxe))
    expect(order.dosageInstruction?.map((one) => one.text)).toEqual([text])
  })

  it.each([
    ['AF', 'active'],
    ['DC', 'stopped'],
    ['RP', 'cancelled'],
  ])(
    'that %s only names again keeps how it is to be taken, its form and what is to be dispensed',
    (control, status) => {
      const { order, medications } = ordersAfter(ordered, message(control, `${drug}|||||28|TAB`))
      expect(order.status).toBe(status)
      expect(shown(order)).toEqual(['5 BID PO'])
      expect(order.medicationReference?.display).toBe('Amlodipine')
      expect(order).not.toHaveProperty('medicationCodeableConcept')
      expect(medications).toMatchObject([{ form: { text: 'Tablet' } }])
      expect(order.dispenseRequest).toMatchObject({ quantity: { value: 28 }, numberOfRepeatsAllowed: 2 })
    },
  )

  it('that is stopped keeps the parts of its compound', () => {
    const compound = message('NW', drug, 'RXC|B|WATER^Water^L|100|mL', 'RXC|A|KCL^Potassium chloride^L|20|mmol')
    const { order, medications } = ordersAfter(compound, message('DC', drug))
    expect(medications.map(({ ingredient }) => ingredient?.length)).toEqual([2])
    expect(order.medicationReference).toBeDefined()
  })

  it('is for another drug when another one is named', () => {
    const { order } = ordersAfter(ordered, message('XO', 'RXE||29046^Lisinopril^RXNORM|5||mg^mg^UCUM'))
    expect(order.medicationCodeableConcept?.text).toBe('Lisinopril')
    expect(order).not.toHaveProperty('medicationReference')
  })

  it.each([
    ['another dose', [segment('RXE', { 2: '197361^Amlodipine^RXNORM', 3: '10', 5: 'mg^mg^UCUM' })], ['10 BID PO']],
    ['a range', [segment('RXE', { 2: '197361^Amlodipine^RXNORM', 3: '5', 4: '10', 5: 'mg' })], ['5-10 BID PO']],
    ['a rate', [segment('RXE', { 2: '197361^A^RXNORM', 22: 'H1', 23: '2', 24: 'mL' })], ['5 at 2 BID PO']],
    ['other times', [drug, 'TQ1|1||TID'], ['5 TID PO']],
    ['two times', [drug, 'TQ1|1||QAM', 'TQ1|2||QHS'], ['5 QAM PO', '5 QHS PO']],
    ['that it is taken if needed', [drug, 'TQ1|1||TID||||||PRN'], ['5 TID if needed PO']],
    ['another way', [drug, 'RXR|IV^Intravenous^HL70162'], ['5 BID IV']],
    ['no way', [drug, 'RXR|""'], ['5 BID']],
    ['no times', [drug, 'TQ1|1||""'], ['5 PO']],
    ['no dose', ['RXE||197361^Amlodipine^RXNORM|""'], ['BID PO']],
  ])('takes on %s, and keeps the rest', (_what, segments, expected) => {
    expect(shown(ordersAfter(ordered, message('XO', ...segments)).order)).toEqual(expected)
  })

  const amlodipine = '197361^Amlodipine^RXNORM'
  const asSent = (dosage: Dosage | undefined) => {
    const { doseQuantity, doseRange, rateQuantity } = dosage?.doseAndRate?.[0] ?? {}
    const sent = [doseQuantity, rateQuantity, dosage?.maxDosePerPeriod?.numerator].map(
      (one) => one && [one.value, one.extension?.[0]?.valueString, one.unit],
    )
    return [dosage?.text, doseRange, ...sent]
  }

  it.each([
    ['a dose', { 3: '2,5', 5: 'mg' }, ['Dose: 2,5 mg', undefined, [undefined, '2,5', 'mg']]],
    ['the least', { 3: '2,5', 4: '5', 5: 'mg' }, ['Dose: 2,5-5 mg', undefined, [undefined, '2,5-5', 'mg']]],
    ['the most', { 3: '5', 4: '7,5', 5: 'mg' }, ['Dose: 5-7,5 mg', undefined, [undefined, '5-7,5', 'mg']]],
    ['a dose with its unit', { 3: '2.5 mg' }, ['Dose: 2.5 mg', undefined, [undefined, '2.5 mg', undefined]]],
    [
      'a rate, and the most of a day,',
      { 3: '5', 5: 'mg', 19: '7,5^mg', 23: '1,5', 24: 'mL/h' },
      [
        'Rate: 1,5 mL/h\nDaily dose: 7,5 mg',
        undefined,
        [5, undefined, 'mg'],
        [undefined, '1,5', 'mL/h'],
        [undefined, '7,5', 'mg'],
      ],
    ],
  ])('of which %s is no number tells it as it was sent, and nothing else in its place', (_what, fields, expected) => {
    const rxe = segment('RXE', { 2: amlodipine, ...fields })
    for (const messages of [[message('NW', rxe)], [ordered, message('XO', rxe)]]) {
      expect(asSent(ordersAfter(...messages).order.dosageInstruction?.[0])).toEqual(
        Object.assign([undefined, undefined, undefined, undefined, undefined], expected),
      )
    }
    const kinds = mapInPasses(message('NW', rxe)).warnings.map(({ kind }) => kind)
    expect(kinds).toContain('bad-number')
  })

  it('of which the amount, the strength or its volume is no number does not keep the one before', () => {
    const before = segment('RXE', { 2: amlodipine, 3: '1', 10: '30', 11: 'mL', 25: '125', 26: 'mg', 33: '5', 34: 'mL' })
    const said = { 2: amlodipine, 3: '1', 10: '2,5', 11: 'mL', 25: '125', 26: 'mg', 33: '2,5', 34: 'mL' }
    const { order, medications } = ordersAfter(message('NW', before), message('XO', segment('RXE', said)))
    expect(order.dispenseRequest?.quantity).toMatchObject({ extension: [{ valueString: '2,5' }], unit: 'mL' })
    expect(order.dispenseRequest?.quantity).not.toHaveProperty('value')
    const denominator = medications.at(-1)?.ingredient?.[0]?.strength?.denominator
    expect(denominator).toMatchObject({ extension: [{ valueString: '2,5' }], unit: 'mL' })
    expect(denominator).not.toHaveProperty('value')
  })

  it('whose steps are told, of which one is no number, gives that one no other dose', () => {
    const tablet = segment('RXE', { 2: 'PRED^Prednisone^L', 3: '40', 5: 'mg' })
    const steps = ['TQ1|1|40^mg|QD||||20261110', 'TQ1|1|37,5^mg|QD||||20261111']
    const tapered = message('NW', tablet, ...steps)
    expect(shown(ordersAfter(tapered).order)).toEqual(['40 QD', 'QD Dose: 37,5 mg'])
    const named = message('SC', segment('RXE', { 2: 'PRED^Prednisone^L', 3: '2,5', 5: 'mg' }))
    expect(shown(ordersAfter(tapered, named).order)).toEqual(['40 QD', 'QD Dose: 37,5 mg'])
  })

  it('is given on the side that RXR-6 says', () => {
    const rxr = segment('RXR', { 1: 'IM^Intramuscular^HL70162', 2: 'DELT^Deltoid^L', 6: 'LT^Left^L' })
    const site = ordersAfter(message('NW', drug, rxr)).order.dosageInstruction?.[0]?.site
    expect(site).toMatchObject({ text: 'Deltoid, Left', extension: [{ valueCodeableConcept: { text: 'Left' } }] })
  })

  it('is no longer taken if needed once its times are said without it', () => {
    const ifNeeded = message('NW', drug, 'TQ1|1||BID||||||PRN')
    expect(shown(ordersAfter(ifNeeded, message('XO', drug, 'TQ1|1||BID')).order)).toEqual(['5 BID'])
  })

  it.each([
    ['TQ1-9', [drug, 'TQ1|1||Q4H||||||PRN'], ['5 Q4H if needed']],
    ['a further TQ1-9', [drug, 'TQ1|1||Q4H||||||S~PRN'], ['5 Q4H if needed']],
    ['a pattern', [drug, 'TQ1|1||PRN'], ['5 PRN if needed']],
    ['a pattern that says how often', [drug, 'TQ1|1||PRNQ4H'], ['5 PRNQ4H if needed']],
    ['a pattern that ends so', [drug, 'TQ1|1||Q4H PRN'], ['5 Q4H PRN if needed']],
    ['TQ.6 of RXE-1', [drug.replace('RXE|', 'RXE|^Q4H^D10^^^PRN')], ['5 Q4H if needed']],
    ['TQ.2 of RXE-1', [drug.replace('RXE|', 'RXE|^PRN')], ['5 PRN if needed']],
  ])('is taken if needed when %s says so, without a warning', (_where, segments, expected) => {
    expect(shown(ordersAfter(message('NW', ...segments)).order)).toEqual(expected)
    expect(mapInPasses(message('NW', ...segments)).warnings).toEqual([])
  })

  it('keeps the urgency beside `if needed`, and how often it is taken at most', () => {
    const { order } = ordersAfter(message('NW', drug, 'TQ1|1||PRNQ4H||||||PRN~S'))
    expect(order.priority).toBe('stat')
    expect(order.dosageInstruction?.[0]?.timing?.repeat).toEqual({ frequency: 1, period: 4, periodUnit: 'h' })
  })

  it.each([
    ['RXE-1', [drug.replace('RXE|', 'RXE|1^QAM~2^QPM')], ['5 QAM Quantity: 1', '5 QPM Quantity: 2']],
    ['RXE-1 in one amount', [drug.replace('RXE|', 'RXE|1^QAM~1^QPM')], ['5 QAM', '5 QPM']],
    ['RXE-1 with doses', ['RXE|40&mg^QAM~20&mg^QPM|PRED^Prednisone^L|||mg'], ['40 QAM', '20 QPM']],
    ['TQ1-3', [drug, 'TQ1|1||BID~QHS'], ['5 BID', '5 QHS']],
    ['TQ1-3 with an empty place', [drug, 'TQ1|1||BID~'], ['5 BID']],
    ['TQ1', [drug, 'TQ1|1||QAM', 'TQ1|2||QHS'], ['5 QAM', '5 QHS']],
  ])('has a dosage for each time that %s says', (_where, segments, expected) => {
    expect(shown(ordersAfter(message('NW', ...segments)).order)).toEqual(expected)
  })

  it('has a dosage for each repetition of ORC-7 where nothing else says when', () => {
    const orc = message('NW', drug).replace('ORC|NW|RX-1^HIS', 'ORC|NW|RX-1^HIS|||||^QAM~^QHS^^^^PRN')
    expect(shown(ordersAfter(orc).order)).toEqual(['5 QAM', '5 QHS if needed'])
  })

  it.each(['TQ1|1||BID~QHS|0800~2000', 'TQ1|1||BID~QHS|||||||||||9'])(
    'warns of the times that cannot be told apart: %s',
    (tq1) => {
      const { order } = ordersAfter(message('NW', drug, tq1))
      expect(shown(order)).toEqual(['5 BID'])
      expect(mapInPasses(message('NW', drug, tq1)).warnings).toMatchObject([{ kind: 'not-kept', path: 'TQ1-3[1]' }])
    },
  )

  it('says a dose of each of its times', () => {
    const twice = message('NW', drug, 'TQ1|1||QAM', 'TQ1|2||QHS')
    const more = segment('RXE', { 2: '197361^Amlodipine^RXNORM', 3: '10', 5: 'mg^mg^UCUM' })
    expect(shown(ordersAfter(twice, message('XO', more)).order)).toEqual(['10 QAM', '10 QHS'])
  })

  describe('as a course', () => {
    const repeatOf = (...segments: readonly string[]) =>
      ordersAfter(message('NW', ...segments)).order.dosageInstruction?.[0]?.timing?.repeat
    const days = (value: number) => ({ value, unit: 'd', system: 'http://unitsofmeasure.org', code: 'd' })

    it.each([
      ['7^d', '20261117', { start: '2026-11-17', end: '2026-11-23' }],
      ['7^days', '20261117080000+0400', { start: '2026-11-17T08:00:00+04:00', end: '2026-11-24T08:00:00+04:00' }],
      ['2^wk', '20261225', { start: '2026-12-25', end: '2027-01-07' }],
      ['36^h', '20261117', { start: '2026-11-17', end: '2026-11-18' }],
      ['1^mo', '20260131', { start: '2026-01-31', end: '2026-02-27' }],
      ['1^mo', '20260131080000+0400', { start: '2026-01-31T08:00:00+04:00', end: '2026-02-28T08:00:00+04:00' }],
      ['7^d', '20261117|20261120', { start: '2026-11-17', end: '2026-11-20' }],
      ['', '20261117', { start: '2026-11-17' }],
      ['', '202611171000|20261117', { start: '2026-11-17T10:00:00+04:00', end: '2026-11-17' }],
      ['9999^a', '20261117', undefined],
    ])('TQ1-6 %s from TQ1-7 %s on', (length, start, boundsPeriod) => {
      expect(repeatOf(drug, `TQ1|1||TID|||${length}|${start}`)?.boundsPeriod).toEqual(boundsPeriod)
    })

    it('of which only the length is known has that', () => {
      expect(repeatOf(drug, 'TQ1|1||TID|||7^d')?.boundsDuration).toEqual(days(7))
      expect(repeatOf(drug, 'TQ1|1|||||7^d')?.boundsDuration).toEqual(days(7))
      expect(repeatOf(drug, 'TQ1|1||TID|||7^d|2026')?.boundsDuration).toEqual(days(7))
    })

    it.each([
      ['1^TID^D7', { boundsDuration: days(7) }],
      ['1^TID^D7^20261117', { boundsPeriod: { start: '2026-11-17', end: '2026-11-23' } }],
      ['1^TID^X21', { count: 21 }],
      ['1^TID^X21^^^^^^^^^9', { count: 9 }],
      ['1^TID^INDEF', {}],
    ])('before TQ1: RXE-1 %s', (timing, expected) => {
      const {
        frequency: _often,
        period: _in,
        periodUnit: _unit,
        ...bounds
      } = repeatOf(drug.replace('RXE|', `RXE|${timing}`)) ?? {}
      expect(bounds).toEqual(expected)
    })

    const step = (dose: string, start: string) => `TQ1|1|${dose}|QD||||${start}`
    const taper = (...doses: readonly string[]) => doses.map((dose, index) => step(dose, `2026111${index}`))
    const undosed = 'RXE||PRED^Prednisone^L|||mg'
    const tablet = 'RXE||PRED^Prednisone^L|10||mg'

    it.each([
      ['says the dose of each step in TQ1-2', undosed, ['40^mg', '20^mg'], ['40 QD', '20 QD']],
      ['with the tablet in RXE-3', tablet, ['40^mg', '20^mg'], ['40 QD', '20 QD']],
      ['by halves of a tablet', tablet, ['1^TAB', '0.5^TAB'], ['1 QD', '0.5 QD']],
      ['of so many milligrams in one tablet', tablet, ['1^TAB'], ['10 QD']],
      ['of which TQ1-2 says only how many', tablet, ['1'], ['10 QD']],
      ['of which one step says its own dose', tablet, ['40^mg', ''], ['40 QD', '10 QD']],
    ])('%s', (_what, drugOf, doses, expected) => {
      expect(shown(ordersAfter(message('NW', drugOf, ...taper(...doses))).order)).toEqual(expected)
    })

    it('keeps the doses of its steps when the tablet alone is named again', () => {
      const course = message('NW', tablet, ...taper('40^mg', '20^mg'))
      expect(shown(ordersAfter(course, message('DC', tablet)).order)).toEqual(['40 QD', '20 QD'])
    })
  })

  it.each([
    ['5', '5 one in the morning'],
    ['10', '10'],
  ])('keeps its words only as long as they hold: at %s mg', (dose, expected) => {
    const worded = segment('RXE', { 2: '197361^Amlodipine^RXNORM', 3: '5', 5: 'mg', 21: 'one in the morning' })
    const said = segment('RXE', { 2: '197361^Amlodipine^RXNORM', 3: dose, 5: 'mg' })
    expect(shown(ordersAfter(message('NW', worded), message('XO', said)).order)).toEqual([expected])
  })

  const orm = (control: string, ...segments: readonly string[]) =>
    message(control, ...segments).replace('RDE^O11', 'ORM^O01')
  const rxo = segment('RXO', { 1: '197361^Amlodipine^RXNORM', 2: '5', 4: 'mg' })

  it.each([
    ['RDE', 'CA', message('NW', drug), message('CA'), 'cancelled'],
    ['RDE', 'DC', message('NW', drug), message('DC'), 'stopped'],
    ['RDE', 'HD', message('NW', drug), message('HD', 'RXE|'), 'on-hold'],
    ['ORM', 'CA', orm('NW', rxo), orm('CA'), 'cancelled'],
    ['ORM', 'OC', message('NW', drug), orm('OC'), 'cancelled'],
  ])('becomes what an ORC alone says: %s %s', (_type, _control, first, second, status) => {
    const reason = (text: string) => text.replace(/ORC\|(..)\|RX-1\^HIS/, '$&|F-9^LAB|||||||||||||DUP^Duplicate^L')
    const { order, services } = ordersAfter(first, reason(second))
    expect(services).toEqual([])
    expect(order).toMatchObject({ status, statusReason: { text: 'Duplicate' } })
    expect(order.medicationCodeableConcept?.text).toBe('Amlodipine')
    expect(order.identifier?.map(({ value }) => value)).toEqual(['RX-1', 'F-9'])
  })

  it.each([
    [
      'RDE',
      message('NW', 'NTE|1||of the order', rxo, 'NTE|1||as ordered', drug, 'NTE|1||as given', 'NTE|2||in two lines'),
    ],
    [
      'ORM',
      orm('NW', 'NTE|1||of the order', rxo, 'NTE|1||as ordered', 'RXC|B|W^Water^L', 'NTE|1||as given\nin two lines'),
    ],
  ])('has the notes of the message, of the patient and of each of its parts: %s', (_type, text) => {
    const whole = text
      .replace('PID|', 'NTE|1||to whom it concerns\rPID|')
      .replace('ORC|', 'NTE|1||of the patient\rORC|')
      .concat('\rOBX|1|NM|29463-7^Body weight^LN||70|kg|||||F\rNTE|1||of the weight')
    const { order } = ordersAfter(whole)
    expect(order.note?.map((one) => one.text)).toEqual([
      ...['to whom it concerns', 'of the patient', 'of the order', 'as ordered'],
      'as given\nin two lines',
    ])
  })

  it('that nobody knows is made of a number only as one that is called off: it may still come', () => {
    const after = (control: string) => {
      const mapping = mapInPasses(message(control))
      if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
      const store = new SmallStore()
      store.apply(mapping)
      return store.ofType('MedicationRequest')
    }
    expect(after('HD')).toEqual([])
    expect(after('CA')).toMatchObject([
      { status: 'cancelled', medicationCodeableConcept: { coding: [{ code: 'unknown' }] } },
    ])
    const unknown = new SmallStore()
    const order = mapInPasses(orm('OC'))
    if (order.refused === undefined) unknown.apply(order)
    expect(unknown.ofType('ServiceRequest')).toMatchObject([{ status: 'revoked' }])
  })

  it.each([
    ['a new one that names no drug', 'ORC|NW|RX-2^HIS', 'ORC-2'],
    ['one without any number', 'ORC|CA', 'ORC-2'],
  ])('is left out with a warning: %s', (_what, orc, path) => {
    const { warnings, refused } = mapInPasses(message('NW', drug, orc))
    expect(refused).toBeUndefined()
    expect(warnings).toMatchObject([{ kind: 'not-kept', path: expect.stringContaining(path.slice(3)) }])
    expect(mapInPasses(message('NW', drug).replace(/ORC.*$/s, orc)).refused).toMatchObject([{ code: '100' }])
  })

  it('that an ORC alone replaces is named by the one that takes its place', () => {
    const replace = message('RP', 'ORC|RO|RX-2^HIS', drug)
    const mapping = mapInPasses(replace)
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    const store = new SmallStore()
    for (const one of [mapInPasses(message('NW', drug)), mapping]) if (one.refused === undefined) store.apply(one)
    const [old, next] = store.ofType<MedicationRequest>('MedicationRequest')
    expect([old?.status, next?.status]).toEqual(['cancelled', 'active'])
    expect(next?.priorPrescription?.reference).toBe([...store.resources].find(([, one]) => one === old)?.[0])
  })
})
