import { describe, expect, it } from 'vitest'
import type { Encounter, Patient, Provenance } from '../../../packages/fhir/r4.ts'
import { withGoldenLink } from './golden-link.ts'
import type { MappingContext } from './context.ts'
import type { Mapped, Write } from './mapped.ts'
import { mergeWrite } from './merge.ts'
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

describe('what is said at a time that has not come', () => {
  const saidBy = (receivedAt: string) => {
    const mapped = map('A01', { receivedAt: new Date(receivedAt) })
    const provenance = writeOf(mapped, 'Provenance')?.resource as Provenance | undefined
    return {
      saidAt: mapped.saidAt,
      recorded: provenance?.recorded,
      warned: mapped.warnings.filter(({ kind }) => kind === 'bad-date').map(({ path }) => path),
    }
  }
  const said = '2026-03-04T10:15:00+04:00'

  it.each(['2026-03-04T06:15:00Z', '2026-03-04T06:10:00Z', '2026-03-05T00:00:00Z'])(
    'is said when the sender says so, as far as clocks differ: received at %s',
    (receivedAt) => {
      expect(saidBy(receivedAt)).toEqual({ saidAt: said, recorded: said, warned: [] })
    },
  )

  it('is said when it was received, with a warning', () => {
    const received = '2026-03-04T06:09:59Z'
    expect(saidBy('2026-03-04T06:09:59.999Z')).toEqual({ saidAt: received, recorded: received, warned: ['EVN-2'] })
  })

  it('is no end of a visit either', () => {
    const mapped = map('A03', { receivedAt: new Date('2026-03-01T00:00:00Z') })
    expect(writeOf(mapped, 'Encounter')?.resource).toMatchObject({ period: { end: '2026-03-01T00:00:00Z' } })
  })
})

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

  it('does not make a mention take away what its "" name', () => {
    const mention = map('A02', {}).writes.find(({ fullUrl }) => fullUrl === patient) as Write
    const written = withGoldenLink({ ...mention, deletes: ['birthDate'] }, 'golden')
    expect(mergeWrite(written, { resourceType: 'Patient', id: '1', birthDate: '1987' })).toMatchObject({
      birthDate: '1987',
      link,
    })
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
