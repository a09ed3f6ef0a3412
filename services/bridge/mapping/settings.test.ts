import { describe, expect, it } from 'vitest'
import type { Encounter, Patient } from '../../../packages/fhir/r4.ts'
import { withGoldenLink } from './golden-link.ts'
import type { MappingContext } from './context.ts'
import type { Mapped, Write } from './mapped.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { makeUnsound } from './testing/unsound.ts'
import { conditionalUrl, toTransaction } from './transaction.ts'

const unsound = await makeUnsound()

const message = (trigger: string) =>
  [
    `MSH|^~\\&|PAS|CENTRAL|||20260304101500||ADT^${trigger}|1|P|2.5.1`,
    `EVN|${trigger}|20260304101500`,
    'PID|1||778899^^^CENTRAL^MR~1234567890^^^NATID^NI||Diallo^Amina||1987|F||2028-9^Asian^CDCREC~2106-3^White^CDCREC||||||||AC1|123456789|||2186-5^Not Hispanic^CDCREC',
    'PV1|1|I|3W',
  ].join('\r')

function map(trigger: string, changes: Partial<MappingContext>): Mapped {
  const mapping = mapInPasses(message(trigger), changes)
  expect(unsound(mapping)).toEqual([])
  if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
  return mapping
}

const writeOf = ({ writes }: Mapped, type: string): Write | undefined =>
  writes.find(({ resource }) => resource.resourceType === type)

describe('a channel in the United States', () => {
  const patient = writeOf(map('A04', { settings: { realm: 'US' } }), 'Patient')?.resource as Patient

  it('writes race and ethnicity as US Core has them', () => {
    expect(patient.extension).toMatchObject([
      {
        url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-race',
        extension: [
          { url: 'ombCategory', valueCoding: { code: '2028-9' } },
          { url: 'ombCategory', valueCoding: { code: '2106-3' } },
          { url: 'text', valueString: 'Asian, White' },
        ],
      },
      { url: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-ethnicity' },
    ])
  })

  it('knows the system of social security numbers', () => {
    expect(patient.identifier).toContainEqual(
      expect.objectContaining({ system: 'http://hl7.org/fhir/sid/us-ssn', value: '123456789' }),
    )
  })
})

describe('settings', () => {
  it('find patients by their national id where the exchange asks for it', () => {
    const settings = { nationalIdSystem: 'https://national.example/id' }
    expect(writeOf(map('A04', { settings }), 'Patient')?.key).toMatchObject({ value: '1234567890' })
    expect(writeOf(map('A04', {}), 'Patient')?.key).toMatchObject({ value: '778899' })
  })

  it('take PID-18 for the visit number where the channel says so', () => {
    expect(writeOf(map('A04', { settings: { visitNumber: 'PID-18' } }), 'Encounter')?.key).toMatchObject({
      value: 'AC1',
    })
  })

  it('leave out the Provenance', () => {
    expect(writeOf(map('A04', { settings: { withoutProvenance: true } }), 'Provenance')).toBeUndefined()
    expect(writeOf(map('A04', {}), 'Provenance')).toBeDefined()
  })
})

describe('the golden id', () => {
  const [patient = ''] = map('A04', {}).patients
  const stamped = (trigger: string) => {
    const mapped = map(trigger, {})
    const writes = mapped.writes.map((write) => withGoldenLink(write, write.fullUrl === patient ? 'golden' : undefined))
    return writeOf({ ...mapped, writes }, 'Patient')
  }
  const link = [{ type: 'refer', other: { reference: 'Patient/golden' } }]

  it('is stamped on the patient', () => {
    expect(stamped('A04')?.resource).toMatchObject({ link, gender: 'female' })
  })

  it('is all that changes on a patient who is only mentioned', () => {
    const write = stamped('A02')
    expect(write?.resource).toEqual({ resourceType: 'Patient', link })
    expect(write?.defaults).toMatchObject({ gender: 'female' })
  })
})

describe('a transaction', () => {
  it('is a bundle of conditional updates without ids', () => {
    const { entry = [] } = toTransaction(map('A01', {}))
    expect(entry.map(({ request }) => request?.method)).toEqual(entry.map(() => 'PUT'))
    const encounter = entry.find(({ resource }) => resource?.resourceType === 'Encounter')?.resource as Encounter
    expect(encounter).toMatchObject({ status: 'in-progress', class: { code: 'IMP' } })
    expect(encounter).not.toHaveProperty('id')
  })

  it.each([
    ['1|2', 'Patient?identifier=s%7C1%5C%7C2'],
    ['a,b$c\\', 'Patient?identifier=s%7Ca%5C%2Cb%5C%24c%5C%5C'],
    ['é &', 'Patient?identifier=s%7C%C3%A9%20%26'],
  ])('escapes the value %s', (value, url) => {
    expect(conditionalUrl('Patient', { parameter: 'identifier', system: 's', value })).toBe(url)
  })
})
