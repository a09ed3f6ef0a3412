import { beforeAll, describe, expect, it } from 'vitest'
import { loadDefinitions } from '../definitions.ts'
import { parseJson } from '../parse-json.ts'
import { hasErrors } from './issue.ts'
import { createValidate, type Validate } from './validator.ts'

describe('the validator', () => {
  let validate: Validate
  beforeAll(async () => {
    validate = createValidate(await loadDefinitions())
  })

  const patient = (rest: object) => ({ resourceType: 'Patient', ...rest })
  const observation = (rest: object) => ({ resourceType: 'Observation', status: 'final', code: { text: 'x' }, ...rest })
  const div = '<div xmlns="http://www.w3.org/1999/xhtml">Ana</div>'
  const absent = {
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
  }

  it.each([
    ['nothing but its type', patient({})],
    [
      'names, dates and a narrative',
      patient({ name: [{ given: ['Ana'] }], birthDate: '1980', text: { status: 'generated', div } }),
    ],
    ['one type of a choice', observation({ valueString: 'high' })],
    ['extensions beside a choice', observation({ valueString: 'high', _valueString: absent })],
    [
      'an extension in the place of a required value',
      { resourceType: 'Observation', _status: absent, code: { text: 'x' } },
    ],
    ['an id beside a value', patient({ birthDate: '1980', _birthDate: { id: 'a' } })],
    ['an id beside one type of a choice', observation({ valueString: 'high', _valueString: { id: 'a' } })],
    ['ids beside values of a list', patient({ name: [{ given: ['Ana', 'Eva'], _given: [null, { id: 'a' }] }] })],
    ['null where an extension keeps the place', patient({ name: [{ given: ['Ana', null], _given: [null, absent] }] })],
    ['a nested extension', patient({ extension: [{ url: 'urn:a', extension: [{ url: 'b', valueInteger: 1 }] }] })],
    ['a code of a required set', patient({ gender: 'female' })],
    ['a reference to an allowed type', observation({ subject: { reference: 'Patient/1' } })],
    ['a reference to a version', observation({ subject: { reference: 'Patient/1/_history/2' } })],
    ['a reference to an odd id elsewhere', observation({ subject: { reference: 'https://a.example/Patient/a_1' } })],
    ['a reference by identifier', observation({ subject: { type: 'Patient', identifier: { value: '1' } } })],
    [
      'a reference inside a transaction',
      observation({ subject: { reference: 'urn:uuid:c757873d-ec9a-4326-a141-556f43239520' } }),
    ],
    [
      'a conditional reference in a transaction',
      {
        resourceType: 'Bundle',
        type: 'transaction',
        entry: [
          {
            resource: observation({ subject: { reference: 'Patient?identifier=a|b' } }),
            request: { method: 'POST', url: 'Observation' },
          },
        ],
      },
    ],
    ['a reference to an address of another kind', observation({ subject: { reference: 'https://a.example/ana' } })],
    ['a contained target', observation({ contained: [patient({ id: 'p' })], subject: { reference: '#p' } })],
    [
      'recursive elements',
      {
        resourceType: 'Questionnaire',
        status: 'draft',
        item: [{ linkId: '1', type: 'group', item: [{ linkId: '2', type: 'string' }] }],
      },
    ],
    [
      'a coding of a required set among others',
      {
        resourceType: 'Condition',
        subject: { reference: 'Patient/1' },
        clinicalStatus: {
          coding: [
            { code: 'local' },
            { system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' },
          ],
        },
      },
    ],
    [
      'decimals with zeros',
      parseJson('{"resourceType":"Observation","status":"final","code":{"text":"x"},"valueQuantity":{"value":1.00}}'),
    ],
    ['resources in a bundle', { resourceType: 'Bundle', type: 'collection', entry: [{ resource: patient({}) }] }],
  ])('accepts a resource with %s', (_what, resource) => {
    expect(validate(resource)).toEqual([])
  })

  it.each([
    ['an unknown element', patient({ nmae: [] }), 'Patient.nmae', 'structure'],
    [
      'an unknown element deep inside',
      patient({ name: [{}, { famly: 'x' }].slice(1) }),
      'Patient.name[0].famly',
      'structure',
    ],
    ['an element of another type', patient({ valueString: 'x' }), 'Patient.valueString', 'structure'],
    ['a missing element', { resourceType: 'Observation', status: 'final' }, 'Observation.code', 'required'],
    [
      'a missing choice',
      { resourceType: 'MedicationRequest', status: 'active', intent: 'order', subject: { reference: 'Patient/1' } },
      'MedicationRequest.medication',
      'required',
    ],
    [
      'two types of a choice',
      observation({ valueString: 'x', valueInteger: 1 }),
      'Observation.valueInteger',
      'structure',
    ],
    [
      'two types of a choice, one as extension',
      observation({ valueString: 'x', _valueInteger: absent }),
      'Observation._valueInteger',
      'structure',
    ],
    [
      'a type that the choice does not have',
      observation({ valueAddress: { city: 'x' } }),
      'Observation.valueAddress',
      'structure',
    ],
    ['one value in the place of a list', patient({ name: { family: 'x' } }), 'Patient.name', 'structure'],
    ['a list in the place of one value', patient({ gender: ['male'] }), 'Patient.gender', 'structure'],
    ['an empty list', patient({ name: [] }), 'Patient.name', 'structure'],
    ['an empty object', patient({ name: [{}] }), 'Patient.name[0]', 'structure'],
    ['an object with an id only', patient({ name: [{ id: 'a' }] }), 'Patient.name[0]', 'structure'],
    ['an id without a value', patient({ _birthDate: { id: 'a' } }), 'Patient._birthDate', 'structure'],
    [
      'an id without a value in a list',
      patient({ name: [{ given: ['Ana', null], _given: [null, { id: 'a' }] }] }),
      'Patient.name[0]._given[1]',
      'structure',
    ],
    [
      'an empty object beside a value',
      patient({ birthDate: '1980', _birthDate: {} }),
      'Patient._birthDate',
      'structure',
    ],
    ['a list beside a value', patient({ birthDate: '1980', _birthDate: [] }), 'Patient._birthDate', 'structure'],
    [
      'an id beside a value that is none',
      patient({ birthDate: '1980', _birthDate: { id: 1 } }),
      'Patient._birthDate.id',
      'value',
    ],
    ['an empty string', patient({ name: [{ family: '' }] }), 'Patient.name[0].family', 'value'],
    ['null', patient({ birthDate: null }), 'Patient.birthDate', 'value'],
    ['null in a list of objects', patient({ name: [null] }), 'Patient.name[0]', 'structure'],
    [
      'null in a list without an extension',
      patient({ name: [{ given: [null, 'x'] }] }),
      'Patient.name[0].given[0]',
      'structure',
    ],
    [
      'a list of extensions that are all null',
      patient({ name: [{ given: ['x'], _given: [null] }] }),
      'Patient.name[0]._given',
      'structure',
    ],
    [
      'extensions of a value that has no place',
      patient({ name: [{ given: ['x'], _given: [null, absent] }] }),
      'Patient.name[0]._given',
      'structure',
    ],
    ['an object in the place of text', patient({ name: [{ family: {} }] }), 'Patient.name[0].family', 'value'],
    ['text in the place of an object', patient({ name: ['x'] }), 'Patient.name[0]', 'structure'],
    ['a code outside of a required set', patient({ gender: 'M' }), 'Patient.gender', 'code-invalid'],
    [
      'a concept outside of a required set',
      { resourceType: 'Condition', subject: { reference: 'Patient/1' }, clinicalStatus: { text: 'active' } },
      'Condition.clinicalStatus',
      'code-invalid',
    ],
    [
      'a reference to another type',
      observation({ subject: { reference: 'Organization/1' } }),
      'Observation.subject',
      'value',
    ],
    [
      'a conditional reference outside of a transaction',
      observation({ subject: { reference: 'Patient?identifier=a|b' } }),
      'Observation.subject',
      'value',
    ],
    [
      'a reference to no type of R4',
      observation({ subject: { reference: 'Pateint/1' } }),
      'Observation.subject',
      'value',
    ],
    [
      'a logical reference to another type',
      observation({ subject: { type: 'Organization', display: 'x' } }),
      'Observation.subject',
      'value',
    ],
    [
      'a reference that contradicts itself',
      observation({ subject: { reference: 'Patient/1', type: 'Group' } }),
      'Observation.subject',
      'value',
    ],
    [
      'a contained target of another type',
      observation({ contained: [{ resourceType: 'Organization', id: 'o', name: 'x' }], subject: { reference: '#o' } }),
      'Observation.subject',
      'value',
    ],
    [
      'a reference that is only a type',
      observation({ subject: { reference: 'Patient' } }),
      'Observation.subject',
      'value',
    ],
    ...['amina ', 'a b', 'a_1', '1/x', '1/_history/', 'x'.repeat(65), 'a%20b', '1#x'].map(
      (rest): [string, object, string, string] => [
        `a reference to Patient/${rest}, which can be no id`,
        observation({ subject: { reference: `Patient/${rest}` } }),
        'Observation.subject',
        'value',
      ],
    ),
    [
      'a reference to any type and no id',
      {
        resourceType: 'Provenance',
        target: [{ reference: 'Patient/a_1' }],
        recorded: '2026-01-01T00:00:00Z',
        agent: [{ who: { reference: 'Patient/1' } }],
      },
      'Provenance.target[0]',
      'value',
    ],
    ['a reference without an id', observation({ subject: { reference: 'Patient/' } }), 'Observation.subject', 'value'],
    ['a reference that is words', observation({ subject: { reference: 'foo bar' } }), 'Observation.subject', 'value'],
    ['a local reference to nothing', observation({ subject: { reference: '#p' } }), 'Observation.subject', 'invariant'],
    ['a wrong id', patient({ id: 'a b' }), 'Patient.id', 'value'],
    ['a contained resource without a type', patient({ contained: [{ id: 'x' }] }), 'Patient.contained[0]', 'structure'],
    [
      'a contained resource that nothing refers to',
      patient({ contained: [patient({ id: 'x' })] }),
      'Patient',
      'invariant',
    ],
    [
      'a wrong resource in a bundle',
      { resourceType: 'Bundle', type: 'collection', entry: [{ resource: patient({ gender: 'x' }) }] },
      'Bundle.entry[0].resource.gender',
      'code-invalid',
    ],
    [
      'a script in its narrative',
      patient({ text: { status: 'generated', div: '<div><script>x</script></div>' } }),
      'Patient.text.div',
      'invalid',
    ],
    ['a narrative without div', patient({ text: { status: 'generated' } }), 'Patient.text.div', 'required'],
    ['an extension without value', patient({ extension: [{ url: 'urn:a' }] }), 'Patient.extension[0]', 'invariant'],
    [
      'an extension with value and extensions',
      patient({ extension: [{ url: 'urn:a', valueCode: 'x', extension: [{ url: 'b', valueCode: 'x' }] }] }),
      'Patient.extension[0]',
      'invariant',
    ],
    ['an extension without url', patient({ extension: [{ valueCode: 'x' }] }), 'Patient.extension[0].url', 'required'],
    [
      'a whole number written as a decimal',
      parseJson('{"resourceType":"Patient","multipleBirthInteger":2.0}'),
      'Patient.multipleBirth',
      'value',
    ],
  ])('refuses a resource with %s', (_what, resource, path, code) => {
    const issues = validate(resource)
    expect(issues).toEqual([expect.objectContaining({ severity: 'error', code, path })])
    expect(hasErrors(issues)).toBe(true)
  })

  it.each([
    undefined,
    null,
    1,
    'Patient',
    [],
    {},
    { resourceType: 'DomainResource' },
    { resourceType: 7 },
    { resourceType: '__proto__' },
  ])('refuses %j, which is no resource', (value) => {
    expect(validate(value)).toEqual([expect.objectContaining({ code: 'structure' })])
  })

  it('names every fault at once', () => {
    const issues = validate(patient({ gender: 'x', birthDate: '1980-13', name: [{ family: '' }, { given: 'Ana' }] }))
    expect(issues.map(({ path }) => path)).toEqual([
      'Patient.gender',
      'Patient.birthDate',
      'Patient.name[0].family',
      'Patient.name[1].given',
    ])
  })

  it('warns about text that is only white space and accepts it', () => {
    const issues = validate(patient({ name: [{ family: ' ' }] }))
    expect(issues).toMatchObject([{ severity: 'warning', path: 'Patient.name[0].family' }])
    expect(hasErrors(issues)).toBe(false)
  })

  it('stops after a hundred faults', () => {
    expect(validate(patient({ name: Array.from({ length: 5000 }, () => ({ x: 1 })) }))).toHaveLength(100)
  })

  it('stops at a depth that no real resource has', () => {
    let extension: object = { url: 'urn:a', valueCode: 'x' }
    for (let depth = 0; depth < 5000; depth++) extension = { url: 'urn:a', extension: [extension] }
    expect(validate(patient({ extension: [extension] }))).toEqual([expect.objectContaining({ code: 'too-costly' })])
  })

  it('never repeats a value, which may be patient data', () => {
    const issues = validate(
      patient({ gender: 'SECRET', birthDate: 'SECRET', SECRET$: 1, name: [{ family: { SECRET: 1 } }] }),
    )
    expect(issues.length).toBe(4)
    expect(JSON.stringify(issues)).not.toContain('SECRET')
  })

  it('forgets one resource before the next', () => {
    expect(validate(patient({ gender: 'x' }))).toHaveLength(1)
    expect(validate(patient({ gender: 'male' }))).toEqual([])
  })
})
