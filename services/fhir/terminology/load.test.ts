import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { migrate } from '../../../packages/sql/migrate/migrate.ts'
import { templateDatabase, testDatabase } from '../../../packages/testkit/test-database.ts'
import { codeFilters } from './code-filters.ts'
import { loadTerminology } from './load.ts'
import { shippedTerminology } from './shipped.ts'
import { joined } from './joined.ts'
import { loadedTerminology } from './store/loaded-terminology.ts'
import { namedInSets } from './store/named-in-sets.ts'
import { translate } from './translate.ts'
import { validateCode, validateCodeIn } from './validate-code.ts'
import { codesOf } from './value-set-codes.ts'

const folder = new URL('../migrations/', import.meta.url)

async function world() {
  const template = await templateDatabase('fhir_terminology', async (url) => {
    await migrate(url, [{ owner: 'fhir', folder }])
  })
  const stack = new AsyncDisposableStack()
  const { url } = stack.use(await testDatabase({ template }))
  const database = await openDatabase({ url, log: silentLog })
  stack.defer(() => database.close())
  const source = joined([loadedTerminology(database), await shippedTerminology()], namedInSets(database))
  const load = (value: unknown, options = {}) =>
    loadTerminology(typeof value === 'string' ? value : JSON.stringify(value), options, {
      database,
      clock: systemClock,
    })
  return { source, load, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const snomed = 'http://snomed.info/sct'
/** A value set in the form of the SNOMED CT Global Patient Set. */
const patientSet = {
  resourceType: 'ValueSet',
  url: 'http://example.org/ValueSet/gps',
  name: 'GPS',
  compose: { include: [{ system: snomed, concept: [{ code: '38341003', display: 'Hypertensive disorder' }] }] },
}

describe('loaded terminology', () => {
  it('of a value set is known in the set and as a part of its code system', async () => {
    await using given = await world()
    const { load, source } = given
    expect(await validateCode({ system: snomed, code: '38341003' }, source)).toMatchObject({ verdict: 'unknown' })
    expect(await load(patientSet)).toEqual([{ type: 'ValueSet', url: patientSet.url, size: 1 }])
    expect(await validateCode({ system: snomed, code: '38341003' }, source)).toMatchObject({
      verdict: 'valid',
      display: 'Hypertensive disorder',
    })
    expect(await validateCode({ system: snomed, code: '1' }, source)).toMatchObject({ verdict: 'unknown' })
    const set = await codesOf(patientSet.url, source)
    const verdict = (code: string) => validateCodeIn(set, patientSet.url, { system: snomed, code }).verdict
    expect([verdict('38341003'), verdict('1')]).toEqual(['valid', 'invalid'])
  })

  it('of a value set changes nothing that its code systems say themselves', async () => {
    await using given = await world()
    const { load, source } = given
    const gender = 'http://hl7.org/fhir/administrative-gender'
    const [cvx, own] = ['http://hl7.org/fhir/sid/cvx', 'urn:own-system']
    await load({
      ...{ resourceType: 'CodeSystem', url: own, name: 'Own', version: '2.0', content: 'complete' },
      concept: [{ code: 'a', display: 'Alpha' }],
    })
    const known = async () => ({
      facts: await Promise.all([gender, cvx, own].map((system) => source.codeSystem(system))),
      genders: await codesOf('http://hl7.org/fhir/ValueSet/administrative-gender', source),
      codes: await Promise.all(
        [gender, own].flatMap((system) => ['male', 'zz', 'a', 'q'].map((code) => source.concept(system, code))),
      ),
      vaccines: await Promise.all(['03', '08'].map((code) => source.concept(cvx, code))),
    })
    const before = await known()
    const include = [
      [gender, 'male', 'zz'],
      [cvx, '08'],
      [own, 'a', 'q'],
    ].map(([system, ...codes]) => ({ system, concept: codes.map((code) => ({ code, display: `${code} local` })) }))
    await load({ resourceType: 'ValueSet', url: 'urn:local-words', compose: { include } })
    expect(await known()).toEqual(before)
    expect((await codesOf('urn:local-words', source))?.codes).toHaveLength(5)
    expect((await source.concepts(gender))?.map(({ code }) => code)).toEqual(['male', 'female', 'other', 'unknown'])
  })

  it('of a value set adds to the part of a code system that is here, until it is loaded without', async () => {
    await using given = await world()
    const { load, source } = given
    const shown = async (code: string) => (await source.concept(snomed, code))?.display
    await load(patientSet)
    await load('code,display\n1,One\n', { system: snomed })
    expect([await shown('38341003'), await shown('1')]).toEqual(['Hypertensive disorder', 'One'])
    expect(await source.displays(snomed, ['38341003', '1', '2'])).toEqual(
      new Map([
        ['1', 'One'],
        ['38341003', 'Hypertensive disorder'],
      ]),
    )
    expect((await source.concepts(snomed))?.map(({ code }) => code)).toEqual(['1', '38341003'])
    await load({ ...patientSet, compose: { include: [{ system: snomed, concept: [{ code: '2', display: 'Two' }] }] } })
    expect([await shown('38341003'), await shown('2')]).toEqual([undefined, 'Two'])
  })

  it('of a part is asked first, and the code system that comes with Corridor after it', async () => {
    await using given = await world()
    const { load, source } = given
    const [loinc, classes] = ['http://loinc.org', 'http://terminology.hl7.org/CodeSystem/v3-ActCode']
    const [shippedLoinc, shippedClasses] = [await source.codeSystem(loinc), await source.codeSystem(classes)]
    await load('LOINC_NUM,LONG_COMMON_NAME\n99999-9,Rare\n')
    await load('code,display\nIMP,hospitalisation\nZZ,more\n', { system: classes })
    const shown = async (system: string, code: string) => (await source.concept(system, code))?.display
    expect([await shown(loinc, '99999-9'), await shown(loinc, '718-7')]).toEqual([
      'Rare',
      'Hemoglobin [Mass/volume] in Blood',
    ])
    expect([await source.codeSystem(loinc), await source.codeSystem(classes)]).toEqual([shippedLoinc, shippedClasses])
    expect([await shown(classes, 'IMP'), await shown(classes, 'ZZ'), await shown(classes, 'AMB')]).toEqual([
      'hospitalisation',
      'more',
      'ambulatory',
    ])
    // What the part does not say of a code, where it stands among the others, the whole still does.
    const inpatient = await codeFilters(source).codesBelow(classes, 'IMP')
    expect(inpatient).toEqual(expect.arrayContaining([{ system: classes, code: 'ACUTE' }]))
    const encounters = await codesOf('http://terminology.hl7.org/ValueSet/v3-ActEncounterCode', source)
    expect(encounters?.codes).toContainEqual({ system: classes, code: 'IMP', display: 'hospitalisation' })
  })

  it('of a code system keeps all that a code is below', async () => {
    await using given = await world()
    const { load, source } = given
    const parents = ['eye', 'dm'].map((valueCode) => ({ code: 'parent', valueCode }))
    const concept = [{ code: 'eye' }, { code: 'dm' }, { code: 'dr', property: parents }]
    await load({ resourceType: 'CodeSystem', url: 'urn:several', content: 'complete', concept })
    expect(await source.concept('urn:several', 'dr')).toMatchObject({ parents: ['eye', 'dm'] })
    const codes = async (code: string) =>
      (await codeFilters(source).codesBelow('urn:several', code))?.map((one) => one.code)
    expect([await codes('eye'), await codes('dm')]).toEqual([
      ['eye', 'dr'],
      ['dm', 'dr'],
    ])
  })

  it('of a part leaves a code system that was loaded whole its name and version', async () => {
    await using given = await world()
    const { load, source } = given
    const whole = { url: 'urn:whole', name: 'Whole', version: '2.0' }
    await load({ resourceType: 'CodeSystem', ...whole, content: 'complete', concept: [{ code: 'a' }] })
    await load('code,display\nb,Beta\n', { system: 'urn:whole' })
    expect(await source.codeSystem('urn:whole')).toEqual({ ...whole, isComplete: true })
    expect((await source.concepts('urn:whole'))?.map(({ code }) => code)).toEqual(['a', 'b'])
  })

  it('of a code system stands in the place of the shipped one, and a later load in its', async () => {
    await using given = await world()
    const { load, source } = given
    const system = (code: string) => ({
      resourceType: 'CodeSystem',
      url: 'http://hl7.org/fhir/administrative-gender',
      content: 'complete',
      concept: [{ code, display: code, concept: [{ code: `${code}-child` }] }],
    })
    const verdict = async (code: string) =>
      (await validateCode({ system: 'http://hl7.org/fhir/administrative-gender', code }, source)).verdict
    await load(system('first'))
    expect([await verdict('first-child'), await verdict('male')]).toEqual(['valid', 'invalid'])
    await load({ resourceType: 'Bundle', entry: [{ resource: system('second') }] })
    expect([await verdict('first'), await verdict('second')]).toEqual(['invalid', 'valid'])
  })

  it('of a large system names the codes of a set in one question', async () => {
    await using given = await world()
    const { load, source } = given
    // More than may wait for a connection at once.
    const codes = Array.from({ length: 1_500 }, (_, n) => `C${n}`)
    await load({
      ...{ resourceType: 'CodeSystem', url: 'urn:large', content: 'complete' },
      concept: codes.map((code) => ({ code, display: `Called ${code}` })),
    })
    await load({
      ...{ resourceType: 'ValueSet', url: 'urn:large-set' },
      compose: { include: [{ system: 'urn:large', concept: codes.map((code) => ({ code })) }] },
    })
    const found = await codesOf('urn:large-set', source)
    expect(found?.codes.map(({ display }) => display)).toEqual(codes.map((code) => `Called ${code}`))
    expect(validateCodeIn(found, 'urn:large-set', { system: 'urn:large', code: 'C7' })).toMatchObject({
      verdict: 'valid',
      display: 'Called C7',
    })
    expect(await codeFilters(source).codesIn('urn:large-set')).toHaveLength(1_500)
  })

  it('of a concept map translates both ways', async () => {
    await using given = await world()
    const { load, source } = given
    const target = [{ code: '2345-7', equivalence: 'equivalent', display: 'Glucose' }]
    await load({
      resourceType: 'ConceptMap',
      url: 'urn:map',
      group: [{ source: 'urn:lab', target: 'http://loinc.org', element: [{ code: 'BZ', target }] }],
    })
    expect(await translate({ system: 'urn:lab', code: 'BZ' }, source)).toEqual([
      { map: 'urn:map', system: 'http://loinc.org', code: '2345-7', display: 'Glucose', equivalence: 'equivalent' },
    ])
    const back = await translate(
      { system: 'http://loinc.org', code: '2345-7', isReverse: true, map: 'urn:map' },
      source,
    )
    expect(back).toMatchObject([{ system: 'urn:lab', code: 'BZ' }])
  })

  it('may begin with the mark of its encoding, and have the line ends of any time', async () => {
    await using given = await world()
    const { load, source } = given
    await load(`\uFEFF${JSON.stringify({ resourceType: 'CodeSystem', url: 'urn:marked', concept: [{ code: 'a' }] })}`)
    await load('\uFEFFcode,display\rb,Beta\rc,Gamma\r', { system: 'urn:marked' })
    expect((await source.concepts('urn:marked'))?.map(({ code }) => code).sort()).toEqual(['a', 'b', 'c'])
  })

  it('may be a table, with quotes and line ends inside cells', async () => {
    await using given = await world()
    const { load, source } = given
    await load('LOINC_NUM,COMPONENT,LONG_COMMON_NAME\r\n"99999-9",x,"A ""rare"" test,\nindeed"\r\n')
    expect(await validateCode({ system: 'http://loinc.org', code: '99999-9' }, source)).toMatchObject({
      verdict: 'valid',
      display: 'A "rare" test,\nindeed',
    })
  })
})

describe('a file is refused when it is', () => {
  let given: Awaited<ReturnType<typeof world>>
  beforeAll(async () => {
    given = await world()
  })
  afterAll(() => given[Symbol.asyncDispose]())

  it.each([
    ['no terminology', { resourceType: 'Patient' }, 'A Patient is not a terminology resource.'],
    ['no resource', {}, 'holds no FHIR resource'],
    ['no address', { resourceType: 'CodeSystem' }, 'has no url'],
    [
      'a map with a rule that is not kept to',
      {
        resourceType: 'ConceptMap',
        url: 'urn:map',
        group: [{ source: 'urn:a', target: 'urn:b', element: [{ code: 'a' }], unmapped: { mode: 'fixed', code: 'x' } }],
      },
      'group.unmapped',
    ],
    ...(['dependsOn', 'product'] as const).map((member): [string, object, string] => [
      `a map with a condition that nobody would look at: ${member}`,
      {
        resourceType: 'ConceptMap',
        url: 'urn:map',
        group: [
          {
            ...{ source: 'urn:lab', target: 'http://loinc.org' },
            element: [
              {
                code: 'GLU',
                target: [
                  { code: '2345-7', equivalence: 'equivalent', [member]: [{ property: 'specimen', value: 'SER' }] },
                ],
              },
            ],
          },
        ],
      },
      'dependsOn, product',
    ]),
    ['a table without codes', 'a,b\n1,2', 'columns code and display'],
    ['a table of unknown codes', 'code,display\n1,2', 'which code system'],
    ['a table of no codes', 'LOINC_NUM,LONG_COMMON_NAME\n', 'holds no codes'],
    ['a table with a quote that is not closed', 'LOINC_NUM,LONG_COMMON_NAME\na,"Alpha', 'Line 2 of the table: a quote'],
    ['a table with text behind a quote', 'LOINC_NUM,LONG_COMMON_NAME\r\na,b\r\nb,"Be"ta\r\n', 'Line 3 of the table'],
    ['a table whose header is broken', '"a,b', 'Line 1 of the table'],
    ['no JSON', '{', 'not valid JSON: line 1, column 2: Expected property name'],
    ['JSON with a word that fits nowhere', '{\n  "a": [true, maybe]\n}', "line 2, column 15: Unexpected token 'm'."],
    ['JSON that ends too early', '{"a":\n[true', 'line 2, column 6'],
    ['empty', [], 'holds no FHIR resource'],
    ['a Bundle without entries', { resourceType: 'Bundle', type: 'collection' }, 'holds no FHIR resource'],
    [
      'a Bundle with an entry that is none',
      { resourceType: 'Bundle', entry: [{ resource: 3 }] },
      'holds no FHIR resource',
    ],
    ['a Bundle whose entries are no list', { resourceType: 'Bundle', entry: {} }, 'not a list'],
    [
      'malformed',
      { resourceType: 'CodeSystem', url: 'urn:x', concept: 'x' },
      'CodeSystem.concept: This element is a list',
    ],
    [
      'malformed inside',
      { resourceType: 'CodeSystem', url: 'urn:x', content: 'complete', concept: [{ display: 3 }] },
      'CodeSystem.concept[0].code: code is required',
    ],
  ])('%s', async (_, value, why) => {
    await expect(given.load(value)).rejects.toThrow(why)
  })
})
