import { describe, expect, it } from 'vitest'
import { decimalOf } from '../../../packages/fhir/parse-json.ts'
import type {
  DiagnosticReport,
  Dosage,
  Encounter,
  FhirResource,
  MedicationRequest,
  Observation,
  Patient,
  Practitioner,
  ServiceRequest,
  Specimen,
} from '../../../packages/fhir/r4.ts'
import { MessageBuilder, parseMessage } from '../../../packages/hl7/index.ts'
import { mapMessage } from '../mapping/map-message.ts'
import type { Mapped } from '../mapping/mapped.ts'
import { cx } from '../mapping/dt/cx.ts'
import { placed } from '../mapping/testing/place.ts'
import { testContext } from '../mapping/testing/context.ts'
import {
  addSegments,
  mrgFrom,
  obrFrom,
  obxFrom,
  orcFrom,
  pidFrom,
  pv1From,
  rxcsFrom,
  rxeFrom,
  rxrsFrom,
  spmsFrom,
  tq1OfOrder,
  tq1sOfPrescription,
  type WriterDeps,
  type WrittenSegment,
} from './index.ts'

const doctor: Practitioner = {
  resourceType: 'Practitioner',
  id: 'okafor',
  identifier: [{ system: 'urn:oid:1.2.40.0.34.99.2', value: '2001' }],
  name: [{ family: 'Okafor', given: ['Chidi'], prefix: ['Dr'] }],
  qualification: [{ code: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0360', code: 'MD' }] } }],
}
const store: readonly FhirResource[] = [
  doctor,
  { resourceType: 'PractitionerRole', id: 'role', practitioner: { reference: 'Practitioner/okafor' } },
  place('site', 'si', 'CENTRAL'),
  place('ward', 'wa', '3W', 'Location/site'),
  place('bed', 'bd', 'A', 'Location/ward'),
]
const deps: WriterDeps = {
  authorities: {
    ...{ base: 'https://corridor.example', facility: 'CENTRAL' },
    namespaces: new Map([['https://national.example/id', 'NATID']]),
  },
  resolve: ({ reference }) => store.find(({ resourceType, id }) => `${resourceType}/${id}` === reference),
}

const patient: Patient = {
  resourceType: 'Patient',
  identifier: [
    { use: 'old', system: 'urn:oid:1.2.40.0.34.99.1', value: '111' },
    { type: kind('MR'), system: 'urn:oid:1.2.40.0.34.99.1', value: '778899' },
    { type: kind('NI'), system: 'https://national.example/id', value: 'N-1' },
    { system: 'https://corridor.example/id/CENTRAL/LAB', value: 'L|1' },
    { system: 'https://other.example/id', value: 'O1' },
  ],
  name: [{ use: 'official', family: 'Diallo', given: ['Amina', 'Rose', 'Ann'], prefix: ['Mrs'] }],
  gender: 'female',
  birthDate: '1980-05',
  address: [{ use: 'home', line: ['1 Sea Road', 'Flat 2'], city: 'Port Louis', country: 'MU', district: 'PL' }],
  telecom: [
    { system: 'phone', value: '+230 555 0101', use: 'home' },
    { system: 'phone', value: '+230 555 0102', use: 'mobile' },
    { system: 'email', value: 'amina@example.org' },
    { system: 'fax', value: '+230 555 0103', use: 'work' },
  ],
  multipleBirthInteger: 2,
  deceasedDateTime: '2026-03-04T10:14:00+04:00',
}

describe('PID', () => {
  it('names every identifier by its authority, the old ones last', () => {
    expect(text(pidFrom(patient, deps)).split('|')[3]).toBe(
      [
        '778899^^^&1.2.40.0.34.99.1&ISO^MR',
        'N-1^^^NATID^NI',
        String.raw`L\F\1^^^LAB`,
        'O1^^^&https://other.example/id&URI',
        '111^^^&1.2.40.0.34.99.1&ISO',
      ].join('~'),
    )
  })

  it.each([
    ['another facility', 'LAKESIDE'],
    ['nobody knows whom', undefined],
  ])('tells %s whose the names of its identifiers are', (_, facility) => {
    const authorities = { ...deps.authorities, facility }
    const number = (name: string, code?: string) => ({
      ...{ system: `https://corridor.example/id/CENTRAL/${name}`, value: '1' },
      ...(code === undefined ? {} : { type: kind(code) }),
    })
    const person: Patient = { resourceType: 'Patient', identifier: [number('LAB'), number('MR', 'MR')] }
    expect(text(pidFrom(person, { ...deps, authorities })).split('|')[3]).toBe(
      '1^^^LAB&https://corridor.example/id/CENTRAL/LAB&URI~1^^^&https://corridor.example/id/CENTRAL/MR&URI^MR',
    )
  })

  it('says who the patient is', () => {
    const pid = text(pidFrom(patient, deps)).split('|')
    expect(pid.slice(5, 9)).toEqual(['Diallo^Amina^Rose Ann^^Mrs^^L', '', '198005', 'F'])
    expect(pid[11]).toBe('1 Sea Road^Flat 2^Port Louis^^^MU^H^^PL')
    expect(pid[13]?.split('~')).toEqual([
      '+230 555 0101^PRN^PH^^^^^^^^^+230 555 0101',
      '+230 555 0102^PRS^CP^^^^^^^^^+230 555 0102',
      '^NET^Internet^amina@example.org',
    ])
    expect(pid[14]).toBe('+230 555 0103^WPN^FX^^^^^^^^^+230 555 0103')
    expect(pid.slice(24, 31)).toEqual(['Y', '2', '', '', '', '20260304101400+0400', 'Y'])
  })

  it('begins with the name that somebody has now, whatever the store has first', () => {
    const name = (['maiden', 'old', undefined, 'usual', 'official'] as const).map((use) => ({
      family: use ?? 'none',
      ...(use === undefined ? {} : { use }),
    }))
    const written = text(pidFrom({ resourceType: 'Patient', name }, deps)).split('|')[5]
    expect(written?.split('~').map((one) => one.split('^')[0])).toEqual(['official', 'usual', 'none', 'maiden', 'old'])
  })

  it('says a marital status by the table of the field', () => {
    const system = 'http://terminology.hl7.org/CodeSystem/v3-MaritalStatus'
    const maritalStatus = { coding: [{ system, code: 'T', display: 'Domestic partner' }] }
    const written = text(pidFrom({ resourceType: 'Patient', maritalStatus }, deps)).split('|')[16]
    expect(written).toBe('P^Domestic partner^HL70002')
  })

  it('is read back by the mapping as the same patient', () => {
    const builder = new MessageBuilder().add('MSH', { 3: 'HUB', 4: 'CENTRAL', 9: ['ADT', 'A31'], 10: '1', 12: '2.5.1' })
    addSegments(builder, [pidFrom(patient, deps)])
    const mapping = mapMessage(builder.message(), testContext())
    const read = mapping.refused === undefined ? (mapping.writes[0]?.resource as Patient) : undefined
    const ids = (list: Patient['identifier']) => new Set(list?.map(({ system, value }) => `${system}|${value}`))
    expect(ids(read?.identifier)).toEqual(ids(patient.identifier))
    for (const element of [
      'name',
      'gender',
      'birthDate',
      'address',
      'deceasedDateTime',
      'multipleBirthInteger',
    ] as const) {
      expect(read?.[element]).toEqual(patient[element])
    }
    const numbers = (list: Patient['telecom']) => list?.map(({ system, value, use }) => [system, value, use])
    expect(numbers(read?.telecom)).toEqual(numbers(patient.telecom))
  })

  it('writes a check digit as it was read', () => {
    const read = placed('4711^9^M10^^MR')
    const identifier = cx(read.part, read.place) ?? {}
    expect(text(pidFrom({ resourceType: 'Patient', identifier: [identifier] }, deps)).split('|')[3]).toMatch(
      /^4711\^9\^M10\^/,
    )
  })

  it('of a patient of whom nothing is known is empty, not wrong', () => {
    expect(text(pidFrom({ resourceType: 'Patient' }, deps))).toBe('PID|1')
  })
})

it('MRG holds the identifiers of the record that was merged', () => {
  const subsumed: Patient = { ...patient, active: false, identifier: (patient.identifier ?? []).slice(0, 1) }
  expect(text(mrgFrom(subsumed, deps))).toBe('MRG|111^^^&1.2.40.0.34.99.1&ISO||||||Diallo^Amina^Rose Ann^^Mrs^^L')
})

describe('PV1', () => {
  const encounter: Encounter = {
    resourceType: 'Encounter',
    status: 'in-progress',
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode', code: 'IMP' },
    identifier: [{ type: kind('VN'), system: 'https://corridor.example/id/CENTRAL/CENTRAL', value: 'V1' }],
    location: [{ location: { reference: 'Location/bed' }, status: 'active' }],
    participant: [
      {
        type: [{ coding: [{ code: 'ATND' }] }],
        individual: { reference: 'PractitionerRole/role', display: 'Dr Chidi Okafor' },
      },
      { type: [{ coding: [{ code: 'REF' }] }], individual: { display: 'Ada Obi' } },
    ],
    period: { start: '2026-03-04T09:30:00Z' },
  }

  it('says class, place, people, number and time', () => {
    const pv1 = text(pv1From(encounter, deps)).split('|')
    expect(pv1.slice(2, 4)).toEqual(['I', '3W^^A^CENTRAL'])
    expect(pv1.slice(7, 9)).toEqual(['2001^Okafor^Chidi^^^Dr^MD^^&1.2.40.0.34.99.2&ISO', '^Obi^Ada'])
    expect(pv1[19]).toBe('V1^^^CENTRAL^VN')
    expect(pv1[44]).toBe('20260304093000+0000')
  })

  it.each<[string, Encounter['status'], string[], (string | undefined)[]]>([
    ['the place before is the one that was left last', 'in-progress', ['A left', 'B left', 'C'], ['C', 'B', '', '']],
    ['whoever has gone is last where they went from', 'finished', ['A left', 'B left', 'C left'], ['C', 'B', '', '']],
    ['a temporary place is none of them', 'in-progress', ['A left', 'C', 'T left +', 'X +'], ['C', 'A', 'X', 'T']],
    ['nobody was elsewhere before', 'in-progress', ['C'], ['C', '', '', '']],
  ])('says where the patient is and was: %s', (_, status, places, expected) => {
    const extension = [{ url: 'https://corridor.example/StructureDefinition/temporary-location', valueBoolean: true }]
    const location = places.map((told) => ({
      location: { display: told.slice(0, 1) },
      status: told.includes('left') ? ('completed' as const) : ('active' as const),
      ...(told.endsWith('+') ? { extension } : {}),
    }))
    const pv1 = text(pv1From({ ...encounter, status, location }, deps)).split('|')
    expect([3, 6, 11, 43].map((field) => pv1[field]?.replaceAll('^', ''))).toEqual(expected)
  })

  it('of what is not at hand names nobody wrongly, and puts no prose where receivers look for a ward', () => {
    const lost = pv1From(
      {
        ...encounter,
        location: [{ location: { display: 'Ward 3 West, bed A' }, status: 'active' }],
        participant: [{ type: [{ coding: [{ code: 'ATND' }] }], individual: { display: 'Dr Chidi Okafor' } }],
      },
      deps,
    )
    const pv1 = text(lost).split('|')
    expect([pv1[3], pv1[7]]).toEqual(['^^^^^^^^Ward 3 West, bed A', '^Okafor^Chidi^^^Dr'])
  })

  it('of a doctor without an authority makes none up', () => {
    const system = 'https://corridor.example/id/CENTRAL/practitioner'
    const stranger: Practitioner = { ...doctor, identifier: [{ system, value: '7' }] }
    const pv1 = text(pv1From(encounter, { ...deps, resolve: () => stranger })).split('|')
    expect(pv1[7]).toBe('7^Okafor^Chidi^^^Dr^MD')
  })

  it('without a visit says that there is none', () => {
    expect(text(pv1From(undefined, deps))).toBe('PV1|1|N')
  })
})

describe('ORC and OBR', () => {
  const request: ServiceRequest = {
    resourceType: 'ServiceRequest',
    status: 'active',
    intent: 'order',
    identifier: [
      { type: kind('PLAC'), system: 'https://corridor.example/id/CENTRAL/PAS', value: 'P1' },
      { type: kind('FILL'), system: 'urn:oid:1.2.3', value: 'F1' },
    ],
    priority: 'stat',
    code: { coding: [{ system: 'http://loinc.org', code: '718-7', display: 'Hemoglobin' }], text: 'Hb' },
    subject: {},
    authoredOn: '2026-03-04T09:30:00+04:00',
    requester: { reference: 'Practitioner/okafor' },
  }
  const report: DiagnosticReport = {
    resourceType: 'DiagnosticReport',
    status: 'corrected',
    basedOn: [{ reference: 'ServiceRequest/order' }],
    identifier: request.identifier ?? [],
    code: { text: 'Blood count' },
    effectivePeriod: { start: '2026-03-04T09:30:00Z', end: '2026-03-04T09:40:00Z' },
    issued: '2026-03-04T10:00:00.123456Z',
  }

  /** The order that the report answers is at hand. */
  const ordered: WriterDeps = {
    ...deps,
    resolve: (reference) => (reference.reference === 'ServiceRequest/order' ? request : deps.resolve(reference)),
  }

  it.each([
    [
      'an order',
      orcFrom(request, deps, 'NW'),
      'ORC|NW|P1^PAS|F1^^1.2.3^ISO||IP||||20260304093000+0400|||2001^Okafor^Chidi^^^Dr^MD^^&1.2.40.0.34.99.2&ISO',
    ],
    [
      'a report',
      orcFrom(report, ordered, 'RE'),
      `ORC|RE|P1^PAS|F1^^1.2.3^ISO${'|'.repeat(9)}2001^Okafor^Chidi^^^Dr^MD^^&1.2.40.0.34.99.2&ISO`,
    ],
    [
      'what is asked',
      obrFrom(request, deps),
      'OBR|1|P1^PAS|F1^^1.2.3^ISO|718-7^Hemoglobin^LN^^^^^^Hb|S|||||||||||2001^Okafor^Chidi^^^Dr^MD^^&1.2.40.0.34.99.2&ISO',
    ],
    [
      'what was found',
      obrFrom(report, ordered, 2),
      'OBR|2|P1^PAS|F1^^1.2.3^ISO|^Blood count|||20260304093000+0000|20260304094000+0000||||||||2001^Okafor^Chidi^^^Dr^MD^^&1.2.40.0.34.99.2&ISO||||||20260304100000.1234+0000|||C',
    ],
  ])('write %s', (_name, segment, expected) => {
    expect(text(segment)).toBe(expected)
  })

  it.each([
    ...(['amended', 'corrected', 'appended'] as const).map((status) => [status, 'C'] as const),
    ...([
      ['registered', 'O'],
      ['partial', 'A'],
      ['preliminary', 'P'],
      ['final', 'F'],
      ['cancelled', 'X'],
    ] as const),
  ])('say of a report that is %s by table 0123 of their version: %s', (status, code) => {
    expect(text(obrFrom({ ...report, status }, deps)).split('|')[25]).toBe(code)
  })

  it('have urgency and time beside them in TQ1, and the specimens of an order in SPM', () => {
    const asked = { ...request, occurrenceDateTime: '2026-03-05T08:00:00+04:00' }
    expect(text(tq1OfOrder(asked) ?? { name: 'TQ1', fields: {} })).toBe('TQ1|1||||||20260305080000+0400||S')
    expect(
      tq1OfOrder({ resourceType: 'ServiceRequest', status: 'active', intent: 'order', subject: {} }),
    ).toBeUndefined()
    const blood: Specimen = {
      resourceType: 'Specimen',
      identifier: [{ type: kind('PGN'), system: 'https://corridor.example/id/CENTRAL/EHR', value: 'SPX' }],
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0487', code: 'BLD', display: 'Blood' }] },
      collection: { collectedDateTime: '2026-03-05T08:00:00+04:00' },
    }
    const drawn = { ...request, specimen: [{ reference: 'Specimen/blood' }, { reference: 'Specimen/gone' }] }
    const found: WriterDeps['resolve'] = ({ reference }) => (reference === 'Specimen/blood' ? blood : undefined)
    expect(spmsFrom(drawn, { ...deps, resolve: found }).map(text)).toEqual([
      `SPM|1|SPX&EHR||BLD^Blood^HL70487${'|'.repeat(13)}20260305080000+0400`,
    ])
  })
})

it('sides of a body leave with their codes: SPM-9, RXR-6, OBR-46', () => {
  const segments = [
    'OBR|1|P1^HIS||KNEE^Knee^L' + '|'.repeat(41) + 'LT^Left side^C4|STAND^Standing^L',
    'SPM|1|S1&HIS||WND^Wound^L||||KNEE^Knee^L|LT^Left^L~PRX^Proximal^L',
  ]
  const header = 'MSH|^~\\&|HIS|CENTRAL|||20260304||OML^O21|1|P|2.5.1\rPID|1||1^^^CENTRAL^MR\rORC|NW|P1^HIS'
  // Sound: the message is taken.
  const { writes } = mapMessage(parseMessage([header, ...segments].join('\r')), testContext()) as Mapped
  const resources = new Map(writes.map(({ fullUrl, resource }) => [fullUrl, resource]))
  const order = [...resources.values()].find((one) => one.resourceType === 'ServiceRequest')
  if (order === undefined) throw new Error('the message has no order')
  const resolve: WriterDeps['resolve'] = ({ reference = '' }) => resources.get(reference)
  expect(text(obrFrom(order, deps)).split('|')[46]).toBe('LT^Left side^C4~STAND^Standing^L')
  const [, , , , , , , , site, side] = text(spmsFrom(order, { ...deps, resolve })[0] ?? { name: '', fields: {} }).split(
    '|',
  )
  expect([site, side]).toEqual(['KNEE^Knee^L^^^^^^Knee, Left, Proximal', 'LT^Left^L~PRX^Proximal^L'])
  const url = 'https://corridor.example/StructureDefinition/modifier'
  const left = { text: 'Deltoid, Left', extension: [{ url, valueCodeableConcept: { coding: [{ code: 'LT' }] } }] }
  const [way] = rxrsFrom({ dosageInstruction: [{ site: left }] } as MedicationRequest, deps)
  expect(text(way ?? { name: '', fields: {} })).toBe('RXR||^Deltoid, Left||||LT')
})

describe('OBX', () => {
  const base: Observation = {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '718-7' }] },
  }
  const grams = { unit: 'g/dL', system: 'http://unitsofmeasure.org', code: 'g/dL' }

  it.each<[string, Partial<Observation>, string]>([
    [
      'a number with every digit',
      { valueQuantity: { ...grams, value: decimalOf('13.50') as number } },
      'NM|718-7^^LN||13.50|g/dL^^UCUM|||||F',
    ],
    [
      'a number so small that JavaScript writes an exponent',
      { valueQuantity: { value: 5e-7 } },
      'NM|718-7^^LN||0.0000005||||||F',
    ],
    [
      'a number that was written with an exponent',
      { valueQuantity: { value: decimalOf('1.50e3') as number } },
      'NM|718-7^^LN||1500||||||F',
    ],
    ['a bound', { valueQuantity: { value: 5, comparator: '<', unit: 'mg' } }, 'SN|718-7^^LN||<^5|mg|||||F'],
    ['a range', { valueRange: { low: { value: 1 }, high: { value: 2 } } }, 'SN|718-7^^LN||^1^-^2||||||F'],
    [
      'a titre',
      { valueRatio: { numerator: { value: 1 }, denominator: { value: 128 } } },
      'SN|718-7^^LN||^1^:^128||||||F',
    ],
    [
      'a titre below the first dilution',
      { valueRatio: { numerator: { value: 1, comparator: '<' }, denominator: { value: 10 } } },
      'SN|718-7^^LN||<^1^:^10||||||F',
    ],
    [
      'a titre with a bound that SN has no place for',
      { valueRatio: { numerator: { value: 1 }, denominator: { value: 1280, comparator: '>' } } },
      'ST|718-7^^LN||1:>1280||||||F',
    ],
    ['a period', { valuePeriod: { start: '2026-03-01', end: '2026-03-03' } }, 'DR|718-7^^LN||20260301^20260303||||||F'],
    ['a period that goes on', { valuePeriod: { start: '2026-03-01' } }, 'DR|718-7^^LN||20260301||||||F'],
    [
      'a row of points, and where one was not measured',
      { valueSampledData: { origin: { value: 0, unit: 'mV' }, period: 0, dimensions: 1, data: '1.50 E -2' } },
      'NA|718-7^^LN||1.50^^-2|mV|||||F',
    ],
    [
      'points as they were measured, not as they were packed',
      { valueSampledData: { origin: { value: 1 }, factor: 0.1, period: 10, dimensions: 1, data: '1 E 2' } },
      'NA|718-7^^LN||1.1^^1.2||||||F',
    ],
    [
      'points without exponents',
      { valueSampledData: { origin: { value: 0 }, period: 10, dimensions: 1, data: '1e-7 2E1' } },
      'NA|718-7^^LN||0.0000001^20||||||F',
    ],
    [
      'points that are small once they are unpacked',
      { valueSampledData: { origin: { value: 0 }, factor: 1e-7, period: 10, dimensions: 1, data: '1 2' } },
      'NA|718-7^^LN||0.0000001^0.0000002||||||F',
    ],
    [
      'points off the scale',
      { valueSampledData: { origin: { value: 0 }, period: 10, dimensions: 1, data: '1 U 3' } },
      'ST|718-7^^LN||1 U 3||||||F',
    ],
    [
      'a code',
      { valueCodeableConcept: { coding: [{ code: 'POS', display: 'Positive' }] } },
      'CWE|718-7^^LN||POS^Positive||||||F',
    ],
    ['a text', { valueString: 'a|b^c' }, String.raw`ST|718-7^^LN||a\F\b\S\c||||||F`],
    ['several lines', { valueString: 'one\ntwo' }, String.raw`TX|718-7^^LN||one\.br\two||||||F`],
    ['a time', { valueDateTime: '2026-03-04' }, 'TS|718-7^^LN||20260304||||||F'],
    ['a flag', { valueBoolean: true }, 'ID|718-7^^LN||Y||||||F'],
    ['nothing', {}, '|718-7^^LN||||||||F'],
    [
      'range and flag of a result',
      {
        valueInteger: 7,
        referenceRange: [{ low: { value: 12 }, high: { value: 16 } }],
        interpretation: [{ coding: [{ code: 'LL' }] }, { text: 'odd' }, { coding: [{ code: 'D' }] }],
      },
      'NM|718-7^^LN||7||12-16|LL~D|||F',
    ],
    ['a change of what was final', { status: 'amended', valueInteger: 7 }, 'NM|718-7^^LN||7||||||C'],
    [
      'a code of the sender by the name that the sender gave it',
      {
        valueCodeableConcept: {
          coding: [
            { system: 'https://corridor.example/codes/CENTRAL/99LAB', code: 'LOC1', display: 'Group A' },
            { system: 'https://corridor.example/codes/CENTRAL/local', code: 'A' },
          ],
        },
      },
      'CWE|718-7^^LN||LOC1^Group A^99LAB^A^^L||||||F',
    ],
    [
      'a code of somebody else by the address of its system',
      { valueCodeableConcept: { coding: [{ system: 'https://other.example/codes/CENTRAL/99LAB', code: 'X' }] } },
      'CWE|718-7^^LN||X^^https://other.example/codes/CENTRAL/99LAB||||||F',
    ],
  ])('writes %s', (_name, said, expected) => {
    expect(obxFrom({ ...base, ...said }, deps).map(text)).toEqual([`OBX|1|${expected}`])
  })

  it.each([
    ['an older version', ['1.2'], '1.2'],
    ['a newer version', [undefined, 'A', '1', 'x&y'], String.raw`^A^1^x\T\y`],
  ])('writes what belongs together as %s told it, also for the parts of a result', (_name, parts, expected) => {
    const names = ['original-sub-identifier', 'group', 'sequence', 'identifier']
    const extension = names.flatMap((name, index) => {
      const valueString = parts[index]
      return valueString === undefined ? [] : [{ url: name, valueString }]
    })
    const url = 'http://hl7.org/fhir/StructureDefinition/observation-v2-subid'
    const component = [{ code: { text: 'part' }, valueInteger: 2 }]
    const written = obxFrom({ ...base, valueInteger: 1, component, extension: [{ url, extension }] }, deps).map(text)
    expect(written.map((line) => line.split('|')[4])).toEqual([expected, expected])
  })

  it('writes an OBX for each component', () => {
    const component = [
      { code: { text: 'systolic' }, valueQuantity: { value: 120 } },
      { code: { text: 'diastolic' }, valueQuantity: { value: 80 } },
    ]
    expect(obxFrom({ ...base, component }, deps, 3).map(text)).toEqual([
      'OBX|3|NM|^systolic||120||||||F',
      'OBX|4|NM|^diastolic||80||||||F',
    ])
  })
})

describe('RXE, RXR and TQ1', () => {
  const request: MedicationRequest = {
    resourceType: 'MedicationRequest',
    status: 'active',
    intent: 'order',
    subject: {},
    identifier: [{ type: { text: 'Prescription number' }, value: 'RX7' }],
    medicationCodeableConcept: { coding: [{ system: 'http://www.nlm.nih.gov/research/umls/rxnorm', code: '723' }] },
    dosageInstruction: [
      {
        text: 'one every six hours',
        doseAndRate: [{ doseQuantity: { value: 250, unit: 'mg', system: 'http://unitsofmeasure.org', code: 'mg' } }],
        route: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0162', code: 'PO' }] },
        timing: { repeat: { period: 6, periodUnit: 'h', boundsPeriod: { start: '2026-03-04' } } },
      },
    ],
    dispenseRequest: { quantity: { value: 20, unit: 'TAB' }, numberOfRepeatsAllowed: 2 },
    substitution: { allowedBoolean: false },
  }

  it('write drug, dose, supply, way and times', () => {
    expect(text(rxeFrom(request, deps))).toBe('RXE||723^^RXNORM|250||mg^^UCUM||^one every six hours||1|20|^TAB|2|||RX7')
    expect([...rxrsFrom(request, deps), ...tq1sOfPrescription(request)].map(text)).toEqual([
      'RXR|PO^^HL70162',
      'TQ1|1||Q6H||||20260304',
    ])
  })

  it('write every dosage: its times, its way and its amount where they differ, and the form of the drug', () => {
    const [first = {}] = request.dosageInstruction ?? []
    const evening: Dosage = {
      patientInstruction: 'With food\nNo alcohol',
      asNeededBoolean: true,
      route: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0162', code: 'PR' }] },
      doseAndRate: [{ doseQuantity: { value: 500, code: 'mg' } }],
      timing: { repeat: { frequency: 2, period: 1, periodUnit: 'd', timeOfDay: ['20:00:00'], count: 3 } },
    }
    const { medicationCodeableConcept: code, ...rest } = request
    const several: MedicationRequest = {
      ...rest,
      medicationReference: { reference: 'Medication/tablets' },
      dosageInstruction: [first, evening, { ...first, text: 'later' }],
    }
    const form = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0292', code: 'TAB' }] }
    const drug: FhirResource = { resourceType: 'Medication', form, ...(code === undefined ? {} : { code }) }
    const rxe = text(rxeFrom(several, { ...deps, resolve: () => drug }))
    expect(rxe.split('|').slice(2, 8)).toEqual([
      ...['723^^RXNORM', '250', '', 'mg^^UCUM', 'TAB^^HL70292'],
      String.raw`^one every six hours~^With food\.br\No alcohol~^later`,
    ])
    expect([...tq1sOfPrescription(several), ...rxrsFrom(several, deps)].map(text)).toEqual([
      'TQ1|1|250^mg|Q6H||||20260304||||one every six hours',
      'TQ1|2|500^mg|BID|200000|||||PRN|||||3',
      'TQ1|3|250^mg|Q6H||||20260304||||later',
      'RXR|PO^^HL70162',
      'RXR|PR^^HL70162',
    ])
  })

  it.each<[string, string]>([
    [
      'a compound and its rate',
      `RXE||2002^Heparin in saline^L|500||mL^^UCUM|SOL^Solution^L${'|'.repeat(13)}10000^[IU]|||H1|20|mL^^UCUM
RXC|B|9^Sodium chloride 0.9%^L|500|mL^^UCUM
RXC|A|5224^Heparin^RXNORM|25000|[IU]^international unit^UCUM`,
    ],
    [
      'a strength, and a rate that has its time in the unit',
      `RXE||161^Paracetamol^RXNORM|10||mL^^UCUM|SUS^Suspension^L${'|'.repeat(17)}40|mL/min^^UCUM|120|mg^^UCUM|||||||5|mL^^UCUM`,
    ],
    ['a strength of one', `RXE||161^Paracetamol^RXNORM|1||^TAB${'|'.repeat(20)}500|mg^^UCUM`],
  ])('write %s as the mapping reads it', (_name, segments) => {
    const sent = ['MSH|^~\\&|CPOE|CENTRAL|||||RDE^O11|1|P|2.5.1', 'PID|1||778899', 'ORC|NW|P1', ...segments.split('\n')]
    const mapping = mapMessage(parseMessage(Buffer.from(sent.join('\r'))), testContext())
    const written = mapping.refused === undefined ? mapping.writes : []
    const read = written.find(({ resource }) => resource.resourceType === 'MedicationRequest')?.resource
    const resolve: WriterDeps['resolve'] = ({ reference }) =>
      written.find(({ fullUrl }) => fullUrl === reference)?.resource
    // Sound: it was found by its type.
    const prescribed = read as MedicationRequest
    const again = [rxeFrom(prescribed, { ...deps, resolve }), ...rxcsFrom(prescribed, { ...deps, resolve })]
    expect(again.map(text)).toEqual(segments.split('\n'))
  })

  it('write the part of a compound of which another amount is given as a strength, and calculate nothing', () => {
    const mL = (value: number) => ({ value, unit: 'mL' })
    const drug: FhirResource = {
      resourceType: 'Medication',
      code: { text: 'KCl in NaCl' },
      ingredient: [
        {
          itemCodeableConcept: { text: 'Potassium chloride' },
          strength: { numerator: { value: 40, unit: 'mmol' }, denominator: mL(1_000) },
        },
        { itemReference: { display: 'Sodium chloride 0.9%' } },
      ],
    }
    const given = (value: number): MedicationRequest => ({
      ...{ resourceType: 'MedicationRequest', status: 'active', intent: 'order', subject: {} },
      medicationReference: { reference: 'Medication/kcl' },
      dosageInstruction: [
        {
          doseAndRate: [
            {
              doseQuantity: mL(value),
              rateRatio: { numerator: mL(100), denominator: { value: 0.5, unit: 'h' } },
            },
          ],
        },
      ],
    })
    const whole = { ...deps, resolve: () => drug }
    expect(rxcsFrom(given(1_000), whole).map(text)).toEqual([
      'RXC||^Potassium chloride|40|^mmol',
      'RXC||^Sodium chloride 0.9%',
    ])
    expect(rxcsFrom(given(500), whole).map(text)[0]).toBe('RXC||^Potassium chloride|||40|^mmol||1000|^mL')
    expect(
      text(rxeFrom(given(500), whole))
        .split('|')
        .slice(22, 25),
    ).toEqual(['', '100', '^mL/0.5 h'])
    const odd = { doseAndRate: [{ rateRatio: { numerator: mL(1), denominator: { value: 1, unit: 'constructor' } } }] }
    const strange = text(rxeFrom({ ...given(500), dosageInstruction: [odd] }, whole)).split('|')
    expect(strange.slice(22, 25)).toEqual(['', '1', '^mL/1 constructor'])
  })

  it('write nothing of a way or times that the request does not say', () => {
    const { dosageInstruction: _none, ...plain } = request
    expect([...rxrsFrom(plain, deps), ...tq1sOfPrescription(plain)]).toEqual([])
  })
})

function kind(code: string) {
  return { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code }] }
}

function place(id: string, code: string, name: string, partOf?: string): FhirResource {
  const inside = partOf === undefined ? {} : { partOf: { reference: partOf } }
  return { resourceType: 'Location', id, name, physicalType: { coding: [{ code }] }, ...inside }
}

function text({ name, fields }: WrittenSegment): string {
  const message = new MessageBuilder().add('MSH', { 9: 'ADT' }).add(name, fields).message()
  return parseMessage(message.bytes).segment(name)?.raw ?? ''
}
