import { describe, expect, it } from 'vitest'
import type { ValueSet } from '../../../packages/fhir/r4.ts'
import { codeFilters } from './code-filters.ts'
import type { ShippedValueSet } from './content.ts'
import { isLoincForm } from './loinc-check.ts'
import { memorySource } from './memory-source.ts'
import { expand } from './operations/expand.ts'
import { lookup } from './operations/lookup.ts'
import { operationInput } from './operations/operation-input.ts'
import { translateOperation } from './operations/translate.ts'
import { validateInSet, validateInSystem } from './operations/validate-code.ts'
import { readCodeSystem, readValueSet } from './read-resource.ts'
import { shippedTerminology } from './shipped.ts'
import { combined } from './source.ts'
import { isKnownUnit } from './ucum.ts'
import { validateCodeIn } from './validate-code.ts'
import { codesOf } from './value-set-codes.ts'

const source = await shippedTerminology()
const deps = { source, now: () => new Date('2026-03-04T05:06:07Z'), newId: () => 'id' }
const asked = (query: Record<string, string>) => operationInput({ query: new URLSearchParams(query) })
const gender = 'http://hl7.org/fhir/administrative-gender'
const v2 = (table: string) => `http://terminology.hl7.org/CodeSystem/v2-${table}`

/** The parameters of an answer by name; a match as `system|code equivalence`. */
function read({ parameter = [] }: Awaited<ReturnType<typeof lookup>>) {
  return Object.fromEntries(
    parameter.map((one) => {
      const [equivalence, concept] = one.part ?? []
      const coding = concept?.valueCoding
      return [
        one.name,
        one.valueBoolean ?? one.valueString ?? `${coding?.system}|${coding?.code} ${equivalence?.valueCode}`,
      ]
    }),
  )
}

describe('CodeSystem/$lookup', () => {
  it.each([
    [gender, 'female', 'Female'],
    [v2('0203'), 'MR', 'Medical record number'],
    ['http://loinc.org', '718-7', 'Hemoglobin [Mass/volume] in Blood'],
    ['http://hl7.org/fhir/sid/cvx', '19', 'Bacillus Calmette-Guerin vaccine'],
    ['http://unitsofmeasure.org', 'mmol/L', 'mmol/L'],
  ])('knows %s %s', async (system, code, display) => {
    expect(read(await lookup(asked({ system, code }), source))).toMatchObject({ display })
  })

  it.each([
    [{ system: gender, code: 'F' }, { kind: 'missing' }],
    [{ system: 'urn:nowhere', code: 'x' }, { kind: 'missing' }],
    [{ system: gender }, { kind: 'incorrect' }],
    [{ code: 'female' }, { kind: 'incorrect' }],
  ] as const)('refuses %j', async (query, fault) => {
    await expect(lookup(asked(query as never), source)).rejects.toMatchObject(fault)
  })
})

describe('CodeSystem/$validate-code', () => {
  it.each([
    [
      { url: gender, code: 'male' },
      { result: true, display: 'Male' },
    ],
    [
      { url: gender, code: 'male', display: 'Herr' },
      { result: true, message: expect.stringContaining('Male') },
    ],
    [
      { url: gender, code: 'm' },
      { result: false, message: expect.stringContaining('no code m') },
    ],
    [{ url: 'http://loinc.org', code: '2345-7' }, { result: true }],
    [
      { url: 'http://loinc.org', code: '2345-8' },
      { result: false, message: '2345-8 is not a LOINC code.' },
    ],
    [
      { url: 'http://loinc.org', code: '1-8' },
      { result: false, message: expect.stringContaining('Only a part') },
    ],
    [
      { url: 'urn:nowhere', code: 'x' },
      { result: false, message: expect.stringContaining('not known here') },
    ],
  ] as const)('answers %j', async (query, expected) => {
    expect(read(await validateInSystem(asked(query as never), source))).toMatchObject(expected)
  })

  it('takes a concept as good when one of its codings is', async () => {
    const body = {
      resourceType: 'Parameters',
      parameter: [
        {
          name: 'codeableConcept',
          valueCodeableConcept: {
            coding: [
              { system: 'urn:local', code: 'GLU' },
              { system: 'http://loinc.org', code: '2345-7' },
            ],
          },
        },
      ],
    }
    expect(read(await validateInSystem(operationInput({ body }), source))).toMatchObject({ result: true })
  })
})

describe('value sets', () => {
  const genders = 'http://hl7.org/fhir/ValueSet/administrative-gender'

  it('are expanded, filtered and paged', async () => {
    const codes = async (query: Record<string, string>) => {
      const { expansion } = await expand(asked({ url: genders, ...query }), deps)
      return [expansion?.total, ...(expansion?.contains ?? []).map(({ code }) => code)]
    }
    expect(await codes({})).toEqual([4, 'male', 'female', 'other', 'unknown'])
    expect(await codes({ filter: 'male' })).toEqual([2, 'male', 'female'])
    expect(await codes({ offset: '1', count: '2' })).toEqual([4, 'female', 'other'])
  })

  it('that take a branch of a hierarchy have all that is below', async () => {
    const classes = 'http://terminology.hl7.org/ValueSet/v3-ActEncounterCode'
    const { expansion } = await expand(asked({ url: classes }), deps)
    expect(expansion?.contains?.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['AMB', 'EMER', 'IMP', 'ACUTE']),
    )
  })

  it.each([
    [{ url: genders, code: 'female', system: gender }, { result: true }],
    [{ url: genders, code: 'female', system: 'urn:other' }, { result: false }],
    [{ url: genders, code: 'F' }, { result: false }],
  ] as const)('have a code or not: %j', async (query, expected) => {
    expect(read(await validateInSet(asked(query as never), source))).toMatchObject(expected)
  })

  it('are asked for in a version, and another one is missing', async () => {
    const inVersion = (version: string) => validateInSet(asked({ url: `${genders}|${version}`, code: 'male' }), source)
    expect(read(await inVersion('4.0.1'))).toMatchObject({ result: true })
    await expect(inVersion('9.9.9')).rejects.toMatchObject({ kind: 'missing' })
  })

  describe('over a code system that is here in part', () => {
    const loinc = 'http://loinc.org'
    const partly = (compose: object) =>
      ({ resourceType: 'ValueSet', url: 'urn:partly', status: 'active', compose }) as ValueSet
    const all = partly({ include: [{ system: loinc }, { system: gender }] })
    const withSet = (resource: ValueSet) => {
      const { valueSet } = readValueSet(resource)
      return combined([memorySource({ codeSystems: [], valueSets: [valueSet], conceptMaps: [] }), source])
    }

    const unknown = { result: false, message: expect.stringContaining('Only a part') }
    const invalid = { result: false, message: expect.stringContaining('has no code') }
    it.each([
      [{ system: loinc, code: '718-7' }, { result: true }],
      [{ system: loinc, code: '2888-6' }, unknown],
      [{ code: '2888-6' }, unknown],
      [{ system: loinc, code: '2888-7' }, invalid],
      [{ system: gender, code: 'M' }, invalid],
      [{ system: 'urn:other', code: '2888-6' }, invalid],
    ])('say what they know of %j', async (query, expected) => {
      const answer = await validateInSet(asked({ url: 'urn:partly', ...query }), withSet(all))
      expect(read(answer)).toMatchObject(expected)
    })

    it('are expanded with a note that there may be more', async () => {
      const unclosed = { url: 'http://hl7.org/fhir/StructureDefinition/valueset-unclosed', valueBoolean: true }
      const expanded = async (resource: ValueSet) =>
        (await expand(asked({ url: 'urn:partly', filter: 'hemoglobin' }), { ...deps, source: withSet(resource) }))
          .expansion?.extension
      expect(await expanded(all)).toEqual([unclosed])
      expect(await expanded(partly({ include: [{ system: loinc, concept: [{ code: '718-7' }] }] }))).toBeUndefined()
      expect(await expanded(partly({ include: [{ system: gender }] }))).toBeUndefined()
    })

    it('are no filter of a search, unless they name their codes', async () => {
      const refusal = { kind: 'incorrect', message: expect.stringContaining('Only a part') }
      await expect(codeFilters(withSet(all)).codesIn('urn:partly')).rejects.toMatchObject(refusal)
      await expect(codeFilters(source).codesOfSet(all)).rejects.toMatchObject(refusal)
      const named = partly({ include: [{ system: loinc, concept: [{ code: '2888-6' }] }] })
      expect(await codeFilters(source).codesOfSet(named)).toHaveLength(1)
    })
  })

  describe('of an expansion', () => {
    const expanded = (expansion: object) =>
      ({ resourceType: 'ValueSet', url: 'urn:expanded', status: 'active', expansion }) as ValueSet
    const withSet = (resource: ValueSet) =>
      memorySource({ codeSystems: [], valueSets: [readValueSet(resource).valueSet], conceptMaps: [] })
    const contains = [
      { system: 'urn:s', code: 'top', abstract: true, contains: [{ system: 'urn:s', code: 'a' }] },
      { system: 'urn:s', code: 'b' },
    ]
    const sign = (name: string, valueBoolean = true) => ({
      extension: [{ url: `http://hl7.org/fhir/StructureDefinition/${name}`, valueBoolean }],
    })
    const verdicts = async (expansion: object) => {
      const set = withSet(expanded({ timestamp: '2026-01-01', contains, ...expansion }))
      const asks = [
        { system: 'urn:s', code: 'a' },
        { system: 'urn:s', code: 'c' },
        { system: 'urn:other', code: 'a' },
        { system: undefined, code: 'c' },
        { system: 'http://loinc.org', code: '2345-8' },
      ]
      const codes = await codesOf('urn:expanded', set)
      return asks.map((ask) => validateCodeIn(codes, 'urn:expanded', ask).verdict)
    }

    it.each([
      ['whole', {}],
      ['whole by its total', { total: 3 }],
      ['whole as it says', sign('valueset-unclosed', false)],
    ])('that is %s are all that there are', async (_how, expansion) => {
      expect(await verdicts(expansion)).toEqual(['valid', 'invalid', 'invalid', 'invalid', 'invalid'])
    })

    it.each([
      ['one page of more', { total: 4 }],
      ['not closed', sign('valueset-unclosed')],
      ['too costly', sign('valueset-toocostly')],
    ])('that is %s are some of them', async (_how, expansion) => {
      expect(await verdicts(expansion)).toEqual(['valid', 'unknown', 'unknown', 'unknown', 'invalid'])
      const cut = expanded({ timestamp: '2026-01-01', contains, ...expansion })
      const refusal = { kind: 'incorrect', message: expect.stringContaining('Only a part') }
      await expect(codeFilters(withSet(cut)).codesIn('urn:expanded')).rejects.toMatchObject(refusal)
      const answer = await expand(asked({ url: 'urn:expanded' }), { ...deps, source: withSet(cut) })
      expect(answer.expansion?.extension).toHaveLength(1)
    })

    it('leave out what is abstract', async () => {
      const set = withSet(expanded({ timestamp: '2026-01-01', contains }))
      expect((await codesOf('urn:expanded', set))?.codes.map(({ code }) => code)).toEqual(['a', 'b'])
    })
  })

  describe('over a code system in which a code is below several', () => {
    const parents = ['eye', 'dm'].map((valueCode) => ({ code: 'parent', valueCode }))
    const concept = [
      { code: 'eye', concept: [{ code: 'dry', property: [{ code: 'parent', valueCode: 'gland' }] }] },
      ...[{ code: 'dm' }, { code: 'gland' }, { code: 'dr', property: parents }],
    ]
    const system = readCodeSystem({
      resourceType: 'CodeSystem',
      url: 'urn:s',
      status: 'active',
      content: 'complete',
      concept,
    })
    const below = (value: string) => ({
      ...({ resourceType: 'ValueSet', url: `urn:${value}`, status: 'active' } as const),
      compose: { include: [{ system: 'urn:s', filter: [{ property: 'concept', op: 'is-a', value } as const] }] },
    })
    const valueSets = ['eye', 'dm', 'gland'].map((value) => readValueSet(below(value)).valueSet)
    const held = memorySource({ codeSystems: [system], valueSets, conceptMaps: [] })

    it.each([
      ['eye', ['eye', 'dry', 'dr']],
      ['dm', ['dm', 'dr']],
      ['gland', ['dry', 'gland']],
    ])('have those below %s on every way', async (value, expected) => {
      expect((await codesOf(`urn:${value}`, held))?.codes.map(({ code }) => code)).toEqual(expected)
    })

    it('are found above and below, and told', async () => {
      const codes = (found: readonly { code: string }[] | undefined) => found?.map(({ code }) => code).toSorted()
      expect(codes(await codeFilters(held).codesBelow('urn:s', 'dm'))).toEqual(['dm', 'dr'])
      expect(codes(await codeFilters(held).codesAbove('urn:s', 'dr'))).toEqual(['dm', 'dr', 'eye'])
      const { parameter = [] } = await lookup(asked({ system: 'urn:s', code: 'dr' }), held)
      const told = parameter.filter(({ name }) => name === 'property').map(({ part }) => part?.[1]?.valueCode)
      expect(told).toEqual(['eye', 'dm'])
    })
  })

  describe('that are made of others', () => {
    const set = (url: string, version: string, include: object) =>
      readValueSet({
        resourceType: 'ValueSet',
        url,
        version,
        status: 'active',
        compose: { include: [include] },
      }).valueSet
    const coded = (url: string, version: string, code: string) =>
      set(url, version, { system: gender, concept: [{ code }] })
    const codes = async (include: object) => {
      const own = (...valueSets: ShippedValueSet[]) => memorySource({ codeSystems: [], valueSets, conceptMaps: [] })
      const outer = set('urn:outer', '1', include)
      const known = combined([
        own(coded('urn:inner', '2.0', 'female'), outer),
        own(coded('urn:inner', '1.0', 'male')),
        source,
      ])
      return (await codesOf('urn:outer', known))?.codes.map(({ code }) => code)
    }

    it.each([
      [{ valueSet: ['urn:inner'] }, ['female']],
      [{ valueSet: ['urn:inner|1.0'] }, ['male']],
      [{ valueSet: ['urn:inner|2.0'] }, ['female']],
      [{ valueSet: ['urn:inner|3.0'] }, undefined],
      [{ system: gender, version: '4.0.1' }, ['male', 'female', 'other', 'unknown']],
      [{ system: gender, version: '*' }, ['male', 'female', 'other', 'unknown']],
      [{ system: gender, version: '9.9' }, undefined],
      [{ system: gender, version: '9.9', concept: [{ code: 'male' }] }, ['male']],
    ])('take the version of them that is named: %j', async (include, expected) => {
      expect(await codes(include)).toEqual(expected)
    })

    it('look up each of them once, however often it is named', async () => {
      const naming = (at: number) => ({ valueSets: [`urn:${at + 1}`, `urn:${at + 1}`] })
      const sets = Array.from({ length: 9 }, (_each, at): ShippedValueSet => ({
        ...{ url: `urn:${at}`, name: 'x' },
        include: at === 8 ? [{ system: gender, codes: [['male']] }] : [naming(at), naming(at), naming(at)],
      }))
      const held = memorySource({ codeSystems: [], valueSets: sets, conceptMaps: [] })
      const urls: string[] = []
      const counted = { ...held, valueSet: (url: string) => (urls.push(url), held.valueSet(url)) }
      expect((await codesOf('urn:0', counted))?.codes).toMatchObject([{ code: 'male' }])
      expect(urls).toEqual(sets.map(({ url }) => url))
    })
  })

  it('that are not known are said to be missing', async () => {
    await expect(expand(asked({ url: 'urn:nowhere' }), deps)).rejects.toMatchObject({ kind: 'missing' })
    await expect(validateInSet(asked({ url: 'urn:nowhere', code: 'x' }), source)).rejects.toMatchObject({
      kind: 'missing',
    })
  })
})

describe('ConceptMap/$translate', () => {
  it.each([
    [
      { system: v2('0001'), code: 'F', targetsystem: gender },
      { result: true, match: `${gender}|female equivalent` },
    ],
    [
      { system: v2('0001'), code: 'A', targetSystem: gender },
      { result: true, match: `${gender}|other wider` },
    ],
    [
      { system: 'urn:corridor:laboratory-codes', code: 'GLU', targetsystem: 'http://loinc.org' },
      { result: true, match: 'http://loinc.org|2345-7 equivalent' },
    ],
    [
      { system: 'http://hl7.org/fhir/sid/icd-10', code: 'I10', targetsystem: 'http://snomed.info/sct' },
      { result: true, match: 'http://snomed.info/sct|38341003 wider' },
    ],
    [
      { system: gender, code: 'female', targetsystem: v2('0001'), reverse: 'true' },
      { result: true, match: `${v2('0001')}|F equivalent` },
    ],
    // What is wider one way is narrower the other: it is told and not relied on.
    [
      { system: gender, code: 'other', url: 'urn:corridor:concept-map:v2-0001-administrative-gender', reverse: 'true' },
      {},
    ],
    [
      { system: 'urn:local', code: 'GLU' },
      { result: false, message: 'No translation is known here.' },
    ],
  ] as const)('answers %j', async (query, expected) => {
    expect(read(await translateOperation(asked(query as never), source))).toMatchObject(expected)
  })
})

describe('the value sets of a translation', () => {
  const given = { system: gender, code: 'male', url: 'http://hl7.org/fhir/ConceptMap/cm-administrative-gender-v2' }

  it.each([
    [{ source: 'http://hl7.org/fhir/ValueSet/administrative-gender' }, true],
    [{ target: 'http://terminology.hl7.org/ValueSet/v2-0001' }, true],
    [{ source: 'http://hl7.org/fhir/ValueSet/observation-status' }, false],
    [{ target: 'http://hl7.org/fhir/ValueSet/observation-status' }, false],
  ] as const)('are kept to: %j', async (sets, result) => {
    expect(read(await translateOperation(asked({ ...given, ...sets }), source))).toMatchObject({ result })
  })

  it.each(['source', 'target', 'url'])('are refused where %s is not known', async (name) => {
    const query = asked({ ...given, [name]: 'http://other' })
    await expect(translateOperation(query, source)).rejects.toMatchObject({ kind: 'missing' })
  })
})

describe('every code of our own maps and lists', () => {
  it('exists where its system is known', async () => {
    const { v2Maps } = await import('./maps/v2.ts')
    const { laboratoryAbbreviations } = await import('./maps/laboratory-abbreviations.ts')
    const strange: string[] = []
    for (const { source: from, target, pairs } of [...v2Maps, laboratoryAbbreviations].flatMap(
      ({ groups }) => groups,
    )) {
      for (const [code, to] of pairs) {
        const isLocal = from.startsWith('urn:corridor:')
        if (!isLocal && (await source.concept(from, code)) === undefined) strange.push(`${from}|${code}`)
        if ((await source.concept(target, to)) === undefined) strange.push(`${target}|${to}`)
      }
    }
    expect(strange).toEqual([])
  })

  it('of LOINC has the right check digit', async () => {
    const codes = (await source.concepts('http://loinc.org')) ?? []
    expect(codes.length).toBeGreaterThan(200)
    expect(codes.filter(({ code }) => !isLoincForm(code))).toEqual([])
  })
})

describe('what the search asks', () => {
  const filters = codeFilters(source)

  it('is answered from the hierarchy', async () => {
    const system = 'http://terminology.hl7.org/CodeSystem/v3-ActCode'
    expect(await filters.codesBelow(system, 'IMP')).toEqual(expect.arrayContaining([{ system, code: 'ACUTE' }]))
    expect(await filters.codesAbove(system, 'ACUTE')).toEqual(expect.arrayContaining([{ system, code: 'IMP' }]))
    expect(await filters.codesBelow('urn:nowhere', 'x')).toBeUndefined()
    expect(await filters.codesIn('http://hl7.org/fhir/ValueSet/administrative-gender')).toHaveLength(4)
  })
})

describe('units', () => {
  it.each(
    `mmol/L mg/dL g/dL % 10*3/uL 10*9/L /min {beats}/min mm[Hg] Cel kg kg/m2 cm U/L m[IU]/L ug/L [pH] mL/min/{1.73_m2}
     fL pg /[HPF] mg/24.h (mg/kg)/d {score} ng/mL{FEU} [degF] kat/L a h mo wk`.split(/\s+/),
  )('%s is one', (unit) => {
    expect(isKnownUnit(unit)).toBe(true)
  })

  it.each(['', 'mg per dL', 'beats', 'mmHg!', 'mg//dL', '°C', 'mg/', 'kkg'])('%j is none', (unit) => {
    expect(isKnownUnit(unit)).toBe(false)
  })
})
