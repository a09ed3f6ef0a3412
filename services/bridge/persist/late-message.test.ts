import { describe, expect, it } from 'vitest'
import type {
  AllergyIntolerance,
  DiagnosticReport,
  Encounter,
  FhirResource,
  Observation,
  Patient,
  RelatedPerson,
} from '../../../packages/fhir/r4.ts'
import { mapInPasses } from '../mapping/testing/map-in-passes.ts'
import type { StoredResource } from './stored.ts'
import { planWrites } from './plan-writes.ts'

const base = 'https://corridor.example'

/** A store that joins messages as PERSIST does, whenever each of them was said. */
class JoiningStore {
  readonly #resources = new Map<string, StoredResource>()

  /** @param at the second of a minute at which the message was said */
  send(type: string, at: number, ...segments: readonly string[]): boolean {
    const time = `202603041015${String(at).padStart(2, '0')}`
    const header = `MSH|^~\\&|PAS|CENTRAL|||${time}||${type}|${crypto.randomUUID()}|P|2.5.1`
    const mapping = mapInPasses([header, ...segments].join('\r'))
    if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
    const stored = new Map(
      mapping.writes.flatMap(({ fullUrl }) => {
        const found = this.#resources.get(fullUrl)
        return found === undefined ? [] : [[fullUrl, found]]
      }),
    )
    const { writes, isStale } = planWrites(mapping, stored, base)
    // As the store gives it out: with ids in the place of what the message called them.
    for (const { fullUrl, resource } of writes) {
      const text = JSON.stringify({ ...resource, id: idOf(fullUrl) })
      const settled = text.replaceAll(/"urn:uuid:([\w-]+)","type":"(\w+)"/g, '"$2/$1","type":"$2"')
      this.#resources.set(fullUrl, JSON.parse(settled) as StoredResource)
    }
    return isStale
  }

  only<T extends FhirResource>(resourceType: T['resourceType']): T {
    const [found, another] = this.all<T>(resourceType)
    if (found === undefined || another !== undefined) throw new Error(`there is not one ${resourceType}`)
    return found
  }

  all<T extends FhirResource>(resourceType: T['resourceType']): T[] {
    return [...this.#resources.values()].filter((one): one is T & StoredResource => one.resourceType === resourceType)
  }
}

const idOf = (fullUrl: string): string => fullUrl.replace('urn:uuid:', '')

const fields = (name: string, values: Readonly<Record<number, string>>) =>
  Array.from({ length: 46 }, (_, at) => (at === 0 ? name : (values[at] ?? ''))).join('|')
const pid = (values: Readonly<Record<number, string>> = {}) => fields('PID', { 3: '1^^^CENTRAL^MR', ...values })
const pv1 = (values: Readonly<Record<number, string>>) => fields('PV1', { 2: 'I', 19: 'V1^^^CENTRAL', ...values })

describe('a late result', () => {
  const obr = 'OBR|1||F1^LAB|24323-8^Panel^LN|||20260304'
  const potassium = (value: string, flag: string, status: string) =>
    `OBX|1|NM|2823-3^Potassium^LN||${value}|mmol/L|3.5-5.1|${flag}|||${status}`

  it('says nothing of the value that took the place of its own', () => {
    const store = new JoiningStore()
    store.send('ORU^R01', 20, pid(), obr, potassium('4.0', '', 'C').replace('3.5-5.1', ''))
    const late = [potassium('6.9', 'HH', 'F'), 'NTE|1||critical value called']
    expect(store.send('ORU^R01', 10, pid(), obr, ...late)).toBe(true)
    const result = store.only<Observation>('Observation')
    expect(result).toMatchObject({ status: 'corrected', valueQuantity: { unit: 'mmol/L' } })
    for (const element of ['interpretation', 'referenceRange', 'note']) expect(result).not.toHaveProperty(element)
  })

  it('belongs to its report, unless it was taken back', () => {
    const store = new JoiningStore()
    const sodium = (status: string) => `OBX|2|NM|2951-2^Sodium^LN||140|mmol/L|||||${status}`
    const chloride = 'OBX|3|NM|2075-0^Chloride^LN||101|mmol/L|||||F'
    store.send('ORU^R01', 10, pid(), obr, sodium('F'))
    store.send('ORU^R01', 30, pid(), obr, potassium('4.0', '', 'F'), sodium('W'))
    store.send('ORU^R01', 20, pid(), obr, sodium('F'), chloride)
    const named = (one: Observation) => one.code.coding?.[0]?.display
    const results = store.all<Observation>('Observation')
    const members = store.only<DiagnosticReport>('DiagnosticReport').result?.map(({ reference }) => reference) ?? []
    const reported = members.map((reference) => results.find(({ id }) => reference === `Observation/${id}`))
    expect(reported.map((one) => one && named(one))).toEqual(['Potassium', 'Chloride'])
  })
})

describe('a late file', () => {
  const obr = 'OBR|1||F1^LAB|24323-8^Panel^LN|||20260304'
  const file = (code: string, status: string) =>
    `OBX|1|ED|${code}^Report^L||^application^pdf^Base64^QQ==||||||${status}`
  const reported = (store: JoiningStore) => store.only<DiagnosticReport>('DiagnosticReport').presentedForm?.length ?? 0

  it('is in its report, unless its result was taken back or is something else now', () => {
    const store = new JoiningStore()
    store.send('ORU^R01', 10, pid(), obr, file('A', 'P'), file('B', 'P'))
    store.send('ORU^R01', 30, pid(), obr, file('A', 'D'), 'OBX|2|TX|B^Report^L||No malignancy||||||F')
    expect(reported(store)).toBe(0)
    expect(store.send('ORU^R01', 20, pid(), obr, file('A', 'F'), file('B', 'F'))).toBe(true)
    expect(reported(store)).toBe(0)
    expect(store.send('ORU^R01', 25, pid(), obr, file('C', 'F'))).toBe(true)
    expect(reported(store)).toBe(1)
  })
})

it('a late message does not tell again what a later one deleted', () => {
  const store = new JoiningStore()
  const allergy = (action: string) => `IAM|1|DA|PCN^Penicillin^L|||${action}`
  const status = () => store.only<AllergyIntolerance>('AllergyIntolerance').verificationStatus?.coding?.[0]?.code
  store.send('ADT^A60', 10, pid(), allergy('A'))
  store.send('ADT^A60', 30, pid(), allergy('D'))
  expect(store.send('ADT^A60', 20, pid(), allergy('U'))).toBe(true)
  expect(status()).toBe('entered-in-error')
  store.send('ADT^A60', 40, pid(), allergy('A'))
  expect(status()).toBe('unconfirmed')
})

describe('a late message about a patient', () => {
  it('does not bring back what a later one took away', () => {
    const store = new JoiningStore()
    const death = { 11: '1 Low St^^Curepipe', 13: '^PRN^PH^^^^55', 29: '202603040900', 30: 'Y' }
    store.send('ADT^A08', 20, pid({ 8: 'F', 11: '""', 13: '""', 29: '""', 30: '""' }))
    expect(store.send('ADT^A08', 10, pid({ ...death, 7: '19870101' }))).toBe(true)
    const patient = store.only<Patient>('Patient')
    expect(patient).toMatchObject({ gender: 'female', birthDate: '1987-01-01' })
    for (const element of ['deceasedDateTime', 'deceasedBoolean', 'address', 'telecom']) {
      expect(patient).not.toHaveProperty(element)
    }
    store.send('ADT^A08', 30, pid(death))
    expect(store.only('Patient')).toMatchObject({
      address: [{}],
      telecom: [{}],
      deceasedDateTime: expect.any(String) as unknown,
    })
    expect(store.only('Patient').meta?.extension).toHaveLength(1)
  })
})

it('a late message makes nobody next of kin again whom a later one has left out', () => {
  const store = new JoiningStore()
  store.send('ADT^A08', 20, pid(), 'NK1|1|Diallo^Nell|CHD')
  store.send('ADT^A08', 10, pid(), 'NK1|1|Diallo^Awa|SPO|2 Low St^^Curepipe|^PRN^PH^^^^5551111')
  expect(store.only<RelatedPerson>('RelatedPerson')).toMatchObject({ name: [{ given: ['Nell'] }] })
})

describe('a late message about a visit', () => {
  const discharge = [pid(), pv1({ 3: '3W', 14: '7', 36: '20', 37: 'HOME', 45: '202603041010' })]

  it.each(['A13', 'A01'])('does not discharge who is here after %s', (trigger) => {
    const store = new JoiningStore()
    store.send('ADT^A01', 5, pid(), pv1({}))
    store.send(`ADT^${trigger}`, 20, pid(), pv1({ 3: '3W' }))
    expect(store.send('ADT^A03', 10, ...discharge)).toBe(true)
    const visit = store.only<Encounter>('Encounter')
    expect(visit.status).toBe('in-progress')
    expect(visit.period?.end).toBeUndefined()
    expect(Object.keys(visit.hospitalization ?? {})).toEqual(['admitSource'])
  })

  it('tells how somebody left who is not here any more', () => {
    const store = new JoiningStore()
    store.send('ADT^A08', 20, pid(), pv1({ 45: '202603041010' }))
    store.send('ADT^A03', 10, ...discharge)
    expect(store.only<Encounter>('Encounter').hospitalization).toHaveProperty('dischargeDisposition')
  })

  it('does not bring back a place that was taken away', () => {
    const store = new JoiningStore()
    store.send('ADT^A08', 20, pid(), pv1({ 3: '""' }))
    store.send('ADT^A01', 10, pid(), pv1({ 3: '3W' }))
    expect(store.only('Encounter')).not.toHaveProperty('location')
  })
})
