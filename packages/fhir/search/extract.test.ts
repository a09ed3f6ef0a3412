import { beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../definitions.ts'
import { parseJson } from '../parse-json.ts'
import { createExtract, type Extract } from './extract.ts'
import type { IndexValue } from './index-value.ts'

describe('extracting index values', () => {
  let extract: Extract
  beforeAll(async () => {
    extract = createExtract(await loadDefinitions())
  })

  /** The values under one parameter, without the members that are undefined. */
  const valuesOf = (resource: object, code: string): unknown[] => {
    const values = extract(resource).find(({ parameter }) => parameter.code === code)?.values ?? []
    return values.map((value: IndexValue) => JSON.parse(JSON.stringify(value, infinite)) as unknown)
  }
  const infinite = (_key: string, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? String(value) : value

  const patient = {
    resourceType: 'Patient',
    id: 'p1',
    meta: { lastUpdated: '2024-05-01T10:00:00Z', tag: [{ system: 'urn:t', code: 'x' }] },
    identifier: [
      {
        type: {
          coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }],
          text: 'Record number',
        },
        system: 'urn:mrn',
        value: '123',
      },
      { system: 'urn:empty' },
    ],
    name: [{ family: 'Núñez', given: ['Ana', 'María'] }],
    telecom: [
      { system: 'phone', value: '+254 700' },
      { system: 'email', value: 'ana@example.org' },
    ],
    gender: 'female',
    birthDate: '1980-03',
    address: [{ line: ['1 Road'], city: 'Kisumu' }],
    generalPractitioner: [{ reference: 'Practitioner/dr' }],
    link: [{ other: { reference: 'Patient/p2' }, type: 'refer' }],
  }

  it.each([
    ['_id', [{ kind: 'token', code: 'p1' }]],
    ['_tag', [{ kind: 'token', system: 'urn:t', code: 'x' }]],
    ['_lastUpdated', [{ kind: 'date', low: Date.UTC(2024, 4, 1, 10), high: Date.UTC(2024, 4, 1, 10, 0, 1) }]],
    [
      'identifier',
      [
        {
          kind: 'token',
          system: 'urn:mrn',
          code: '123',
          text: 'Record number',
          identifierTypes: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }],
        },
      ],
    ],
    ['family', [{ kind: 'string', text: 'Núñez', folded: 'nunez' }]],
    [
      'name',
      [
        { kind: 'string', text: 'Núñez', folded: 'nunez' },
        { kind: 'string', text: 'Ana', folded: 'ana' },
        { kind: 'string', text: 'María', folded: 'maria' },
      ],
    ],
    ['phone', [{ kind: 'token', system: 'phone', code: '+254 700' }]],
    ['email', [{ kind: 'token', system: 'email', code: 'ana@example.org' }]],
    ['gender', [{ kind: 'token', system: 'http://hl7.org/fhir/administrative-gender', code: 'female' }]],
    ['birthdate', [{ kind: 'date', low: Date.UTC(1980, 2), high: Date.UTC(1980, 3) }]],
    ['address-city', [{ kind: 'string', text: 'Kisumu', folded: 'kisumu' }]],
    ['general-practitioner', [{ kind: 'reference', type: 'Practitioner', id: 'dr' }]],
    ['link', [{ kind: 'reference', type: 'Patient', id: 'p2' }]],
    ['deceased', [{ kind: 'token', code: 'false' }]],
    ['death-date', []],
  ])('finds %s of a patient', (code, values) => {
    expect(valuesOf(patient, code)).toEqual(values)
  })

  it.each([
    [{ deceasedBoolean: true }, 'true'],
    [{ deceasedBoolean: false }, 'false'],
    [{ deceasedDateTime: '2020' }, 'true'],
    [{}, 'false'],
  ])('calls a patient with %j deceased: %s', (rest, code) => {
    expect(valuesOf({ resourceType: 'Patient', ...rest }, 'deceased')).toEqual([{ kind: 'token', code }])
  })

  const loinc = { system: 'http://loinc.org', code: '8480-6', display: 'Systolic' }
  const observation = {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [loinc], text: 'Blood pressure' },
    interpretation: [{ coding: [{ system: 'urn:i', code: 'H' }] }],
    subject: { reference: 'https://other.example/fhir/Patient/9/_history/3' },
    effectivePeriod: { start: '2024-05-01' },
    valueQuantity: { value: 5.4, unit: 'mmol/l', system: 'http://unitsofmeasure.org', code: 'mmol/L' },
  }
  const quantity = {
    kind: 'quantity',
    value: 5.4,
    low: 5.35,
    high: 5.45,
    system: 'http://unitsofmeasure.org',
    code: 'mmol/L',
    unit: 'mmol/l',
  }

  it.each([
    [
      'code',
      [
        { kind: 'token', system: 'http://loinc.org', code: '8480-6', text: 'Systolic' },
        { kind: 'token', text: 'Blood pressure' },
      ],
    ],
    ['interpretation', [{ kind: 'token', system: 'urn:i', code: 'H' }]],
    ['subject', [{ kind: 'reference', type: 'Patient', id: '9', url: 'https://other.example/fhir/Patient/9' }]],
    ['patient', [{ kind: 'reference', type: 'Patient', id: '9', url: 'https://other.example/fhir/Patient/9' }]],
    ['date', [{ kind: 'date', low: Date.UTC(2024, 4, 1), high: 'Infinity' }]],
    ['value-quantity', [quantity]],
    [
      'code-value-quantity',
      [
        {
          kind: 'composite',
          parts: [{ kind: 'token', system: 'http://loinc.org', code: '8480-6', text: 'Systolic' }, quantity],
        },
      ],
    ],
    ['code-value-concept', []],
    ['encounter', []],
  ])('finds %s of an observation', (code, values) => {
    expect(valuesOf(observation, code)).toEqual(values)
  })

  it.each([
    ['<', { low: '-Infinity', high: 5 - 5 * Number.EPSILON }],
    ['<=', { low: '-Infinity', high: 5 }],
    ['>', { low: 5 + 5 * Number.EPSILON, high: 'Infinity' }],
    ['>=', { low: 5, high: 'Infinity' }],
  ])('opens one side of a quantity with the comparator %s', (comparator, bounds) => {
    const resource = { resourceType: 'Observation', valueQuantity: { value: 5, comparator } }
    expect(valuesOf(resource, 'value-quantity')).toEqual([{ kind: 'quantity', ...bounds }])
  })

  it('takes the precision of a quantity from its digits as written', () => {
    const resource = parseJson('{"resourceType":"Observation","valueQuantity":{"value":5.40}}') as object
    expect(valuesOf(resource, 'value-quantity')).toEqual([{ kind: 'quantity', value: 5.4, low: 5.395, high: 5.405 }])
  })

  it.each([
    [{ reference: 'Patient/1' }, [{ kind: 'reference', type: 'Patient', id: '1' }]],
    [{ reference: 'urn:uuid:a' }, [{ kind: 'reference', url: 'urn:uuid:a' }]],
    [{ reference: '#p' }, []],
    [{ display: 'someone' }, []],
    [
      { type: 'Patient', identifier: { system: 'urn:mrn', value: '1' } },
      [{ kind: 'reference', type: 'Patient', identifierSystem: 'urn:mrn', identifierValue: '1' }],
    ],
  ])('indexes the reference %j', (subject, values) => {
    expect(valuesOf({ resourceType: 'Encounter', subject }, 'subject')).toEqual(values)
  })

  it('keeps a typed reference parameter to its type', () => {
    const toGroup = { resourceType: 'Encounter', subject: { reference: 'Group/1' } }
    expect(valuesOf(toGroup, 'subject')).toHaveLength(1)
    expect(valuesOf(toGroup, 'patient')).toEqual([])
  })

  it('searches a schedule by its outer limits', () => {
    const request = {
      resourceType: 'ServiceRequest',
      occurrenceTiming: { event: ['2024-05-03', '2024-05-01'], repeat: { boundsPeriod: { end: '2024-06-30' } } },
    }
    expect(valuesOf(request, 'occurrence')).toEqual([{ kind: 'date', low: '-Infinity', high: Date.UTC(2024, 6, 1) }])
  })

  it('gives every combination of a composite, each from one node', () => {
    const component = (code: string, value: number) => ({
      code: { coding: [{ code }, { code: `${code}-other` }] },
      valueQuantity: { value },
    })
    const both = { resourceType: 'Observation', component: [component('sys', 120), component('dia', 80)] }
    const found = valuesOf(both, 'component-code-value-quantity') as { parts: [{ code: string }, { value: number }] }[]
    expect(found.map(({ parts }) => `${parts[0].code} ${parts[1].value}`)).toEqual([
      'sys 120',
      'sys-other 120',
      'dia 80',
      'dia-other 80',
    ])
  })

  it('follows %resource inside a composite', () => {
    const sequence = {
      resourceType: 'MolecularSequence',
      referenceSeq: { chromosome: { coding: [{ code: '7' }] } },
      variant: [{ start: 10, end: 20 }],
    }
    expect(valuesOf(sequence, 'chromosome-variant-coordinate')).toMatchObject([
      { parts: [{ code: '7' }, { value: 10 }, { value: 20 }] },
    ])
  })

  it('reads canonical addresses with their version, and addresses to the letter', () => {
    const response = { resourceType: 'QuestionnaireResponse', questionnaire: 'http://x.org/Questionnaire/q|2' }
    expect(valuesOf(response, 'questionnaire')).toEqual([
      { kind: 'reference', type: 'Questionnaire', url: 'http://x.org/Questionnaire/q', version: '2' },
    ])
    const profiled = { resourceType: 'Patient', meta: { profile: ['http://x.org/P|1'] } }
    expect(valuesOf(profiled, '_profile')).toEqual([{ kind: 'uri', uri: 'http://x.org/P|1' }])
  })

  it('points from a document to the composition in its first entry only', () => {
    const entry = [
      { resource: { resourceType: 'Composition', id: 'c' } },
      { resource: { resourceType: 'Composition', id: 'd' } },
    ]
    expect(valuesOf({ resourceType: 'Bundle', entry }, 'composition')).toEqual([
      { kind: 'reference', type: 'Composition', id: 'c' },
    ])
    expect(valuesOf({ resourceType: 'Bundle', entry }, 'message')).toEqual([])
  })

  it('finds an extension by its value', () => {
    const device = {
      resourceType: 'Device',
      extension: [
        { url: 'urn:other', valueString: 'no' },
        { url: 'http://hl7.org/fhir/SearchParameter/device-extensions-Device-din', valueIdentifier: { value: 'd1' } },
      ],
    }
    expect(valuesOf(device, 'din')).toEqual([{ kind: 'token', code: 'd1' }])
  })

  it('gives the currency of money as its unit', () => {
    expect(valuesOf({ resourceType: 'Invoice', totalNet: { value: 10, currency: 'KES' } }, 'totalnet')).toEqual([
      { kind: 'quantity', value: 10, low: 9.5, high: 10.5, system: 'urn:iso:std:iso:4217', code: 'KES' },
    ])
  })

  it('finds nothing in a type that it does not know', () => {
    expect(extract({ resourceType: 'Nonsense', id: '1' })).toEqual([])
    expect(extract({})).toEqual([])
  })

  describe('of composites', () => {
    const codings = (count: number) => ({
      coding: Array.from({ length: count }, (_each, index) => ({ system: 'urn:x', code: `c${index}` })),
    })
    const finding = (given: object) => ({ resourceType: 'Observation', status: 'final', ...given })
    const valued = (codes: number, values: number) => ({ code: codings(codes), valueCodeableConcept: codings(values) })
    const panel = (count: number, codes: number, values: number) =>
      finding({ code: codings(1), component: Array.from({ length: count }, () => valued(codes, values)) })

    it('takes 256 combinations of an element and no more', () => {
      expect(valuesOf(finding(valued(16, 16)), 'code-value-concept')).toHaveLength(256)
      expect(() => extract(finding(valued(257, 1)))).toThrow('code-value-concept')
      expect(() => extract(finding(valued(2_000, 2_000)))).toThrow('too many combinations')
    })

    it('takes 10,000 of a resource, and more only where each element has one', () => {
      expect(valuesOf(panel(50, 20, 10), 'component-code-value-concept')).toHaveLength(10_000)
      expect(() => extract(panel(51, 20, 10))).toThrow('too many combinations')
      expect(valuesOf(panel(10_001, 1, 1), 'component-code-value-concept')).toHaveLength(10_001)
    })
  })
})
