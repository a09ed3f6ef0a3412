import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase } from '../../../packages/sql/database.ts'
import { migrate } from '../../../packages/sql/migrate.ts'
import { templateDatabase, testDatabase } from '../../../packages/testkit/test-database.ts'
import { codeFilters } from './code-filters.ts'
import { loadTerminology } from './load.ts'
import { shippedTerminology } from './shipped.ts'
import { combined } from './source.ts'
import { loadedTerminology } from './store/loaded-terminology.ts'
import { translate } from './translate.ts'
import { validateCode, validateCodeInSet } from './validate-code.ts'
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
  const source = combined([loadedTerminology(database), await shippedTerminology()])
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
    const inSet = (code: string) => validateCodeInSet(patientSet.url, { system: snomed, code }, source)
    expect([(await inSet('38341003')).verdict, (await inSet('1')).verdict]).toEqual(['valid', 'invalid'])
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
    expect(found?.map(({ display }) => display)).toEqual(codes.map((code) => `Called ${code}`))
    const inSet = await validateCodeInSet('urn:large-set', { system: 'urn:large', code: 'C7' }, source)
    expect(inSet).toMatchObject({ verdict: 'valid', display: 'Called C7' })
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
    ['no terminology', { resourceType: 'Patient' }, 'A Patient is no terminology.'],
    ['no resource', {}, 'holds no FHIR resource'],
    ['no address', { resourceType: 'CodeSystem' }, 'has no url'],
    ['a table without codes', 'a,b\n1,2', 'columns code and display'],
    ['a table of unknown codes', 'code,display\n1,2', 'which code system'],
  ])('%s', async (_, value, why) => {
    await expect(given.load(value)).rejects.toThrow(why)
  })
})
