import { describe, expect, it } from 'vitest'
import type {
  Account,
  Appointment,
  DocumentReference,
  Encounter,
  FhirResource,
  Patient,
  Procedure,
  Provenance,
  RelatedPerson,
} from '../../../packages/fhir/r4.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { segment } from './testing/segment.ts'
import { SmallStore } from './testing/small-store.ts'

let controlId = 0
function send(store: SmallStore, type: string, ...segments: readonly string[]): void {
  const header = `MSH|^~\\&|PAS|CENTRAL|||20260304101500||${type}|${++controlId}|P|2.5.1`
  const mapping = mapInPasses([header, 'EVN||20260304101500', ...segments].join('\r'))
  if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
  store.apply(mapping)
}

const pid = (number: number) => `PID|1||${number}^^^CENTRAL^MR||Diallo^Amina`
const visit = (number: string) => `PV1|1|I|3W${'|'.repeat(19 - 3)}${number}^^^CENTRAL`

/** The sender's number, without the namespace and with it. */
const numbers = ['1', '1^EHR']

const iam = (number: string) => segment('IAM', { 1: '1', 3: 'PEN^Penicillin^L', 6: 'A', 7: number })
const dg1 = (number: string) => segment('DG1', { 1: '1', 3: 'I21.0^^I10', 20: number, 21: 'A' })
const pr1 = (number: string) => segment('PR1', { 1: '1', 3: '44950^^C4', 5: '20260304', 19: number, 20: 'A' })

const cases = [
  ['IAM-7', 'ADT^A60', 'AllergyIntolerance', iam],
  ['DG1-20', 'ADT^A08', 'Condition', dg1],
  ['PR1-19', 'ADT^A08', 'Procedure', pr1],
] as const

describe.each(cases)('%s, which is unique within a patient or visit only', (_field, type, resourceType, numbered) => {
  it.each(numbers)('%s of two patients is two resources', (number) => {
    const store = new SmallStore()
    send(store, type, pid(1), visit('V1'), numbered(number))
    send(store, type, pid(2), visit('V2'), numbered(number))
    send(store, type, pid(1), visit('V1'), numbered(number))
    const found = store.ofType<FhirResource>(resourceType)
    expect(found).toHaveLength(2)
    expect(new Set(found.map(personOf)).size).toBe(2)
    const [value] = number.split('^')
    const itsNumber: unknown = expect.objectContaining({ value })
    for (const one of found) expect(one).toMatchObject({ identifier: expect.arrayContaining([itsNumber]) as unknown })
  })

  it('finds the patient’s own where the visit has no number', () => {
    const store = new SmallStore()
    const withoutNumber = 'PV1|1|I|3W'
    send(store, type, pid(1), withoutNumber, numbered('1'))
    send(store, type, pid(1), withoutNumber, numbered('1'))
    send(store, type, pid(2), withoutNumber, numbered('1'))
    expect(store.ofType<FhirResource>(resourceType)).toHaveLength(2)
  })
})

/** Of whom a resource is. */
const personOf = (resource: FhirResource): string | undefined =>
  'subject' in resource
    ? (resource.subject as { reference?: string } | undefined)?.reference
    : 'patient' in resource
      ? (resource.patient as { reference?: string }).reference
      : 'beneficiary' in resource
        ? (resource.beneficiary as { reference?: string }).reference
        : undefined

describe('the diagnoses and procedures of two visits', () => {
  it.each(cases.slice(1))('are two by one %s', (_field, type, resourceType, numbered) => {
    const store = new SmallStore()
    send(store, type, pid(1), visit('V1'), numbered('1^EHR'))
    send(store, type, pid(1), visit('V2'), numbered('1^EHR'))
    expect(store.ofType<FhirResource>(resourceType)).toHaveLength(2)
  })
})

it('one procedure on both sides is two', () => {
  const store = new SmallStore()
  const on = (side: string) => segment('PR1', { 1: '1', 3: '27447^Knee arthroplasty^C4', 5: '20260304', 16: side })
  for (let count = 0; count < 2; count++) send(store, 'ADT^A08', pid(1), visit('V1'), on('LT^Left'), on('RT^Right'))
  const procedures = store.ofType<Procedure>('Procedure')
  expect(procedures.map(({ code }) => code?.text)).toEqual(['Knee arthroplasty, Left', 'Knee arthroplasty, Right'])
})

describe('a file of one name', () => {
  const txa = (number: string, name: string) => segment('TXA', { 1: '1', 2: 'DS', 12: number, 16: name, 17: 'AU' })
  const text = (line: string) => segment('OBX', { 1: '1', 2: 'TX', 3: '11493-4^Course^LN', 5: line })

  it('of two patients is two documents', () => {
    const store = new SmallStore()
    send(store, 'MDM^T02', pid(1), txa('', 'letter.pdf'), text('of the first'))
    send(store, 'MDM^T02', pid(2), txa('', 'letter.pdf'), text('of the second'))
    send(store, 'MDM^T02', pid(1), txa('', 'letter.pdf'), text('of the first, again'))
    const documents = store.ofType<DocumentReference>('DocumentReference')
    expect(documents).toHaveLength(2)
    expect(new Set(documents.map(({ subject }) => subject?.reference)).size).toBe(2)
    expect(store.ofType('Composition')).toHaveLength(2)
  })

  it('is not the document that has a number', () => {
    const store = new SmallStore()
    send(store, 'MDM^T02', pid(1), txa('D1^TRANS', 'letter.pdf'), text('numbered'))
    send(store, 'MDM^T02', pid(1), txa('', 'letter.pdf'), text('without a number'))
    const documents = store.ofType<DocumentReference>('DocumentReference')
    expect(documents.map(({ masterIdentifier }) => masterIdentifier?.value)).toEqual(['D1', undefined])
    for (const { identifier } of documents) expect(identifier?.map(({ value }) => value)).toContain('letter.pdf')
  })
})

describe('brothers and sisters', () => {
  it('have a father each, who has his number in both', () => {
    const store = new SmallStore()
    const father = segment('NK1', { 1: '1', 2: 'Diallo^Moussa', 3: 'FTH', 33: 'F1^^^CENTRAL' })
    for (const child of [1, 2, 1]) send(store, 'ADT^A28', pid(child), father)
    expect(ofEach(store)).toEqual([['F1'], ['F1']])
  })

  it('have a mother each, and what NK1 says of her is said of the same', () => {
    const store = new SmallStore()
    const child = (number: number) => `${pid(number)}${'|'.repeat(21 - 5)}M1^^^CENTRAL`
    const mother = segment('NK1', { 1: '1', 2: 'Diallo^Awa', 3: 'MTH', 33: 'M1^^^CENTRAL' })
    for (const number of [1, 2]) send(store, 'ADT^A28', child(number))
    for (const number of [1, 2]) send(store, 'ADT^A31', child(number), mother)
    expect(ofEach(store)).toEqual([['M1'], ['M1']])
    for (const { name } of store.ofType<RelatedPerson>('RelatedPerson')) expect(name?.[0]?.given).toEqual(['Awa'])
  })

  /** For each child, the numbers of those who are related to it. */
  function ofEach(store: SmallStore): (string | undefined)[][] {
    const found = Object.groupBy(
      store.ofType<RelatedPerson>('RelatedPerson'),
      ({ patient }) => patient.reference ?? 'nobody',
    )
    return Object.values(found).map((people) => people?.map(({ identifier }) => identifier?.[0]?.value) ?? [])
  }
})

describe('a message of two patients, each behind a PID of their own', () => {
  const dg1OfVisit = segment('DG1', { 1: '1', 3: 'I21.0^^I10' })
  const pr1Of = segment('PR1', { 1: '1', 3: '44950^^C4', 5: '20260304' })
  const obx = segment('OBX', {
    1: '1',
    2: 'NM',
    3: '8867-4^Heart rate^LN',
    5: '80',
    6: '/min',
    11: 'F',
    14: '20260304',
  })
  const in1 = segment('IN1', { 1: '1', 2: 'PLAN', 3: 'INS', 4: 'Insurance', 36: 'P1' })
  const nk1 = segment('NK1', { 1: '1', 2: 'Diallo^Moussa', 3: 'FTH' })
  const order = (number: string) => [`ORC|NW|${number}`, segment('RXE', { 2: 'AMX^Amoxicillin^L', 3: '500', 5: 'mg' })]
  const dose = (number: string) => [
    `ORC|RE||${number}`,
    segment('RXA', { 1: '0', 2: '1', 3: '20260304', 5: '03^MMR^CVX' }),
  ]
  const letter = (number: string, text: string) => [
    segment('TXA', { 1: '1', 2: 'DS', 12: `${number}^TRANS`, 17: 'AU' }),
    segment('OBX', { 1: '1', 2: 'TX', 3: '11493-4^Course^LN', 5: text }),
  ]

  it.each<[string, string, FhirResource['resourceType'], readonly string[], readonly string[]]>([
    ['an allergy', 'ADT^A08', 'AllergyIntolerance', [visit('V1')], [visit('V2'), iam('1')]],
    ['a diagnosis', 'ADT^A01', 'Condition', [visit('V1')], [visit('V2'), dg1OfVisit]],
    ['a procedure', 'ADT^A01', 'Procedure', [visit('V1')], [visit('V2'), pr1Of]],
    ['a measurement', 'ADT^A08', 'Observation', [visit('V1')], [visit('V2'), obx]],
    ['an insurance', 'ADT^A31', 'Coverage', [], [in1]],
    ['next of kin', 'ADT^A28', 'RelatedPerson', [], [nk1]],
    ['a visit', 'ADT^A01', 'Encounter', [], [visit('V2')]],
    ['a prescription', 'RDE^O11', 'MedicationRequest', [], order('R2')],
    ['a dose', 'VXU^V04', 'Immunization', [], dose('I2')],
    ['the diagnosis of an appointment', 'SIU^S12', 'Condition', [], [dg1OfVisit]],
  ])('says of the second what it says behind the second: %s', (_what, type, resourceType, first, second) => {
    const store = new SmallStore()
    const booked = type.startsWith('SIU') ? ['SCH||A1^S|||||||30|MIN|^^30^20260310090000'] : []
    send(store, type, ...booked, pid(1), ...first, pid(2), ...second)
    const [one, other] = store.ofType('Patient').map(referenceTo(store))
    expect(other).toBeDefined()
    expect(store.ofType<FhirResource>(resourceType).map(personOf)).toEqual([other])
    expect(one).not.toBe(other)
  })

  it.each<[string, string, FhirResource['resourceType'], (number: string) => readonly string[]]>([
    ['prescriptions', 'RDE^O11', 'MedicationRequest', (number) => order(`R${number}`)],
    ['doses', 'VXU^V04', 'Immunization', (number) => dose(`I${number}`)],
    ['documents', 'MDM^T02', 'DocumentReference', (number) => letter(`D${number}`, `of ${number}`)],
  ])('says of each their own: %s', (_what, type, resourceType, of) => {
    const store = new SmallStore()
    send(store, type, pid(1), ...of('1'), pid(2), ...of('2'))
    expect(store.ofType<FhirResource>(resourceType).map(personOf)).toEqual(
      store.ofType('Patient').map(referenceTo(store)),
    )
  })

  it.each<[string, string, string, (number: number) => readonly string[]]>([
    ['a letter', 'MDM^T02', 'TXA-12', (number) => letter('D', `of ${number}`)],
    ['a letter that is withdrawn', 'MDM^T11', 'TXA-12', () => letter('D', '')],
    ['a prescription that is called off', 'RDE^O11', 'ORC-2', () => ['ORC|CA|R']],
    [
      'one that is called off and one that is new',
      'RDE^O11',
      'ORC-2',
      (number) => (number === 1 ? ['ORC|CA|R'] : order('R')),
    ],
    ['an order that is called off by its number alone', 'ORM^O01', 'ORC-2', () => ['ORC|OC|R']],
    ['a visit that gets another number', 'ADT^A50', 'PV1-19', (number) => ['MRG|||||V^^^CENTRAL', visit(`W${number}`)]],
    ['a visit that is merged', 'ADT^A42', 'MRG-5', (number) => ['MRG|||||V^^^CENTRAL', visit(`W${number}`)]],
    ['a visit that moves', 'ADT^A45', 'MRG-5', (number) => [`MRG|${number + 2}^^^CENTRAL^MR||||V^^^CENTRAL`]],
    ['an outpatient who comes in', 'ADT^A06', 'PV1-19', (number) => ['MRG|||||V^^^CENTRAL', visit(`W${number}`)]],
    ['a visit', 'ADT^A01', 'PV1-19', () => [visit('V')]],
  ])(
    'is refused where what it says of the second is of the number of the first, and would be lost: %s',
    (_what, type, place, of) => {
      const header = `MSH|^~\\&|PAS|CENTRAL|||20260304101500||${type}|1|P|2.5.1`
      const { refused } = mapInPasses([header, 'EVN||20260304101500', pid(1), ...of(1), pid(2), ...of(2)].join('\r'))
      const [name, field] = place.split('-')
      expect(refused).toMatchObject([
        {
          applicationCode: { code: 'NUMBER_OF_ANOTHER' },
          location: { segment: name, sequence: 2, field: Number(field) },
        },
      ])
    },
  )

  it('has the text of each letter in its own document', () => {
    const store = new SmallStore()
    send(store, 'MDM^T02', pid(1), ...letter('D1', 'of the first'), pid(2), ...letter('D2', 'of the second'))
    const texts = store
      .ofType<DocumentReference>('DocumentReference')
      .map(({ content }) => content.map(({ attachment }) => Buffer.from(attachment.data ?? '', 'base64').toString()))
    expect(texts).toEqual([['of the first'], ['of the second']])
  })

  it.each(['ADT^A24', 'ADT^A37'])('is refused where its event is of two and it names three: %s', (type) => {
    const header = `MSH|^~\\&|PAS|CENTRAL|||20260304101500||${type}|1|P|2.5.1`
    const { refused } = mapInPasses([header, 'EVN||20260304101500', pid(1), pid(2), pid(3)].join('\r'))
    expect(refused).toMatchObject([{ location: { segment: 'PID', sequence: 3 } }])
  })

  it('ends both who are deleted (A29)', () => {
    const store = new SmallStore()
    for (const number of [1, 2]) send(store, 'ADT^A28', pid(number))
    send(store, 'ADT^A29', pid(1), pid(2))
    expect(store.ofType<Patient>('Patient').map(({ active }) => active)).toEqual([false, false])
  })

  it('gives both visits their new numbers (A50)', () => {
    const store = new SmallStore()
    for (const number of [1, 2]) send(store, 'ADT^A01', pid(number), visit(`V${number}`))
    const renumbered = (number: number) => [pid(number), `MRG|||||V${number}^^^CENTRAL`, visit(`W${number}`)]
    send(store, 'ADT^A50', ...renumbered(1), ...renumbered(2))
    const current = store
      .ofType<Encounter>('Encounter')
      .map(({ identifier }) => identifier?.find(({ use }) => use !== 'old')?.value)
    expect(current).toEqual(['W1', 'W2'])
  })

  it('gives both accounts to whom they belong now (A44)', () => {
    const store = new SmallStore()
    const withAccount = (number: number, account: string) =>
      segment('PID', { 1: '1', 3: `${number}^^^CENTRAL^MR`, 5: 'Diallo^Amina', 18: `${account}^^^CENTRAL` })
    for (const number of [1, 2]) send(store, 'ADT^A28', withAccount(number, `K${number}`))
    const moved = (number: number) => [withAccount(number + 2, `K${number}`), `MRG|${number}^^^CENTRAL^MR`]
    send(store, 'ADT^A44', ...moved(1), ...moved(2))
    const people = store.ofType('Patient').map(referenceTo(store))
    const owners = store
      .ofType<Account>('Account')
      .map(({ subject }) => subject?.map(({ reference }) => people.indexOf(reference)))
    expect(owners).toEqual([[2], [3]])
  })

  it('has the diagnoses of both for reasons of their one appointment', () => {
    const store = new SmallStore()
    const booked = 'SCH||A1^S|||||||30|MIN|^^30^20260310090000'
    const other = segment('DG1', { 1: '1', 3: 'R07.4^^I10' })
    send(store, 'SIU^S12', booked, pid(1), dg1OfVisit, pid(2), other)
    expect(store.ofType<Appointment>('Appointment').map(({ reasonReference }) => reasonReference?.length)).toEqual([2])
    expect(store.ofType<FhirResource>('Condition').map(personOf)).toEqual(
      store.ofType('Patient').map(referenceTo(store)),
    )
  })

  it('does not say when and where the second was last changed because it says so of the first', () => {
    const store = new SmallStore()
    const changed = segment('PID', { 1: '1', 3: '1^^^CENTRAL^MR', 5: 'Diallo^Amina', 33: '20260301', 34: 'LAKESIDE' })
    send(store, 'ADT^A31', changed)
    send(store, 'ADT^A24', changed, pid(2))
    const said = store
      .ofType<Provenance>('Provenance')
      .map(({ occurredDateTime, agent }) => [occurredDateTime, agent.some(({ who }) => who.display === 'LAKESIDE')])
    expect(said).toEqual([
      ['2026-03-01', true],
      [undefined, false],
    ])
  })
})

/** Under which the store has it. */
const referenceTo = (store: SmallStore) => (resource: FhirResource) =>
  [...store.resources].find(([, one]) => one === resource)?.[0]
