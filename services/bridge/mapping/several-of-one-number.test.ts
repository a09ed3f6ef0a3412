import { describe, expect, it } from 'vitest'
import type {
  DiagnosticReport,
  FhirResource,
  Immunization,
  MedicationRequest,
  Observation,
  ServiceRequest,
} from '../../../packages/fhir/r4.ts'
import type { Mapped } from './mapped.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { segment } from './testing/segment.ts'
import { SmallStore } from './testing/small-store.ts'

const message = (type: string, ...segments: readonly string[]) =>
  [
    `MSH|^~\\&|LAB|CENTRAL|||20260304091500+0400||${type}|1|P|2.5.1`,
    'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F',
    ...segments,
  ].join('\r')

function mapped(text: string): Mapped {
  const mapping = mapInPasses(text)
  if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
  return mapping
}

/** What is stored after the message came twice: what comes again is found again. */
function storeAfter(text: string) {
  const store = new SmallStore()
  const mapping = mapped(text)
  store.apply(mapping)
  const once = store.resources.size
  store.apply(mapped(text))
  expect(store.resources.size).toBe(once)
  const ofType = <T extends FhirResource>(type: T['resourceType']) => store.ofType<T>(type)
  const lost = mapping.warnings.filter(({ kind }) => kind === 'not-kept')
  return { ofType, store, warnings: lost.map(({ path, text: words }) => `${path} ${words}`) }
}

const obr = (code: string, time: string, parent = '') =>
  segment('OBR', { 3: 'F-1^LAB', 4: code, 7: time, 25: 'F', 26: parent })

describe('reports of one number and service', () => {
  const organism = '600-7^Bacteria identified^LN'
  const micro = (...order: readonly ('1' | '2')[]) =>
    message(
      'ORU^R01',
      obr('BC^Blood culture^L', '20260304'),
      `OBX|1|CWE|${organism}|1|112283007^Escherichia coli^SCT||||||F`,
      `OBX|2|CWE|${organism}|2|3092008^Staphylococcus aureus^SCT||||||F`,
      ...order.flatMap((isolate) => [
        obr('SUSC^Susceptibility^L', '20260304', `600-7&Bacteria identified&LN^${isolate}`),
        `OBX|1|ST|CIP^Ciprofloxacin^L||${isolate === '1' ? '0.25' : '8'}||||||F`,
        `OBX|2|ST|AMP^Ampicillin^L||${isolate === '1' ? '32' : '2'}||||||F`,
      ]),
    )

  it('each organism has the susceptibilities that were tested on it', () => {
    const { store, ofType, warnings } = storeAfter(micro('1', '2'))
    const organisms = ofType<Observation>('Observation').filter(({ hasMember }) => hasMember !== undefined)
    const valuesOf = ({ hasMember = [] }: Observation) =>
      hasMember.map(({ reference = '' }) => (store.resources.get(reference) as Observation).valueString)
    expect(organisms.map((one) => [one.valueCodeableConcept?.text, valuesOf(one)])).toEqual([
      ['Escherichia coli', ['0.25', '32']],
      ['Staphylococcus aureus', ['8', '2']],
    ])
    expect(ofType<DiagnosticReport>('DiagnosticReport').map(({ result }) => result?.length)).toEqual([2, 2, 2])
    expect(warnings).toEqual([])
  })

  it.each([
    ['600-7&Bacteria identified&LN^1^Escherichia coli', 'Made for: Escherichia coli'],
    ['600-7&Bacteria identified&LN^1', 'Made for: Bacteria identified 1'],
    ['600-7', 'Made for: 600-7'],
  ])('susceptibilities that come after their organism say what they were tested on: %s', (parent, text) => {
    const after = (...organisms: readonly string[]) => {
      const tested = [
        segment('OBR', {
          3: 'F-2^LAB',
          4: 'SUSC^Susceptibility^L',
          7: '20260304',
          25: 'F',
          26: parent,
          29: '^F-1&LAB',
        }),
        ...['OBX|1|ST|CIP^Ciprofloxacin^L||8||||||F', 'NTE|1||by disc'],
      ]
      const { ofType } = storeAfter(message('ORU^R01', ...organisms, ...tested))
      const [report] = ofType<DiagnosticReport>('DiagnosticReport').slice(-1)
      const [result] = ofType<Observation>('Observation').slice(-1)
      const noted = report?.extension?.map(({ valueAnnotation }) => valueAnnotation?.text)
      return { ...report, noted, note: result?.note?.map((one) => one.text) }
    }
    expect(after()).toMatchObject({ noted: [text], note: [text, 'by disc'] })
    expect(after().basedOn).toEqual([
      { type: 'ServiceRequest', identifier: expect.objectContaining({ value: 'F-1' }) as unknown },
    ])
    const beside = [obr('BC^Blood culture^L', '20260304'), `OBX|1|CWE|${organism}|1|112283007^E. coli^SCT||||||F`]
    expect(after(...beside)).toMatchObject({ noted: undefined, note: ['by disc'] })
  })

  it('a glucose of each hour is a result of its own', () => {
    const hours = ['20260304080000+0400', '20260304100000+0400', '20260304100000+0400'].map((time, index) => [
      obr('2345-7^Glucose^LN', time),
      `OBX|1|NM|2345-7^Glucose^LN||${[90, 260, 261][index]}|mg/dL||${index === 0 ? 'N' : 'HH'}|||F`,
    ])
    const { ofType } = storeAfter(message('ORU^R01', ...hours.flat()))
    expect(
      ofType<Observation>('Observation').map(({ valueQuantity, effectiveDateTime, interpretation }) => [
        valueQuantity?.value,
        effectiveDateTime,
        interpretation?.[0]?.coding?.[0]?.code,
      ]),
    ).toEqual([
      [90, '2026-03-04T08:00:00+04:00', 'N'],
      [260, '2026-03-04T10:00:00+04:00', 'HH'],
      [261, '2026-03-04T10:00:00+04:00', 'HH'],
    ])
    expect(ofType<DiagnosticReport>('DiagnosticReport').map(({ result }) => result?.length)).toEqual([1, 1, 1])
  })

  it('the first is found as if it were the only one', () => {
    const [alone, first] = [micro('1'), micro('1', '2')].map((text) =>
      mapped(text)
        .writes.filter(({ resource }) => resource.resourceType === 'DiagnosticReport')
        .map(({ key }) => key),
    )
    expect(first?.slice(0, 2)).toEqual(alone)
  })
})

describe('orders of one number and service', () => {
  it('are as many as were sent', () => {
    const order = ['ORC|NW|P-1^HIS', 'OBR|1|P-1^HIS||600-7^Blood culture^LN|||20260304']
    const { ofType } = storeAfter(message('OML^O21', ...order, ...order, ...order))
    expect(ofType<ServiceRequest>('ServiceRequest')).toHaveLength(3)
  })
})

describe('prescriptions of one number', () => {
  const prescription = (drug: string, dose: string) => ['ORC|NW|P-1^HIS', `RXE||${drug}^${drug}^L|${dose}||mg`]

  it('each drug is prescribed, and the shared number is that of their group', () => {
    const { ofType } = storeAfter(
      message('RDE^O11', ...prescription('AMX', '500'), ...prescription('IBU', '400'), ...prescription('IBU', '800')),
    )
    const requests = ofType<MedicationRequest>('MedicationRequest')
    expect(
      requests.map(({ medicationCodeableConcept, dosageInstruction: [dosage] = [], groupIdentifier }) => [
        medicationCodeableConcept?.text,
        dosage?.doseAndRate?.[0]?.doseQuantity?.value,
        groupIdentifier?.value,
      ]),
    ).toEqual([
      ['AMX', 500, undefined],
      ['IBU', 400, 'P-1'],
      ['IBU', 800, 'P-1'],
    ])
    const holders = requests.filter(({ identifier }) => identifier?.some(({ value }) => value === 'P-1'))
    expect(holders).toHaveLength(1)
  })
})

describe('doses of one vaccine on one day', () => {
  const dose = (vaccine: string, site: string, ...results: readonly string[]) => [
    'ORC|RE||9999',
    segment('RXA', { 1: '0', 2: '1', 3: '20260304', 5: vaccine, 6: '5', 20: 'CP' }),
    `RXR|IM|${site}`,
    ...results,
  ]

  it('are as many as were given', () => {
    const { ofType } = storeAfter(message('VXU^V04', ...dose('34^RIG^CVX', 'LA'), ...dose('34^RIG^CVX', 'RT')))
    const doses = ofType<Immunization>('Immunization')
    expect(doses.map(({ site }) => site?.coding?.[0]?.code)).toEqual(['LA', 'RT'])
  })

  it('what is told without a vaccine is kept, however often it is told', () => {
    const immunity = (disease: string) => `OBX|1|CE|59784-9^Disease with presumed immunity^LN|1|${disease}||||||F`
    const { ofType } = storeAfter(
      message(
        'VXU^V04',
        ...dose('998^None^CVX', '', immunity('V^Varicella^L')),
        ...dose('998^None^CVX', '', immunity('M^Measles^L')),
      ),
    )
    const told = ofType<Observation>('Observation').map(({ valueCodeableConcept }) => valueCodeableConcept?.text)
    expect(told).toEqual(['Varicella', 'Measles'])
  })
})

describe('what a message says twice under one number', () => {
  const spm = (type: string) => `SPM|1|^T-1&LAB||${type}^${type}^L`
  const reports = (...types: readonly string[]) =>
    message('ORU^R01', ...types.flatMap((type, index) => [obr(`S${index}^Service^L`, '20260304'), spm(type)]))

  it('is warned of where it differs', () => {
    expect(storeAfter(reports('BLD', 'UR')).warnings).toEqual([
      'SPM[1] The message has said this before, and differently; what it said first was kept.',
    ])
  })

  it('is no matter where it is the same', () => {
    expect(storeAfter(reports('BLD', 'BLD')).warnings).toEqual([])
  })
})
