import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import type { FhirCall, FhirRouteOptions } from '../routes/fhir-route.ts'
import type { FhirDeps } from '../routes/deps.ts'
import { operateIn } from '../routes/operate.ts'
import { fhirWorld } from '../testing/fhir-world.ts'
import { answerNeeds } from './answer-needs.ts'
import type { Inclusion } from './content.ts'
import { memorySource } from './memory-source.ts'
import { expand } from './operations/expand.ts'
import { operationInput } from './operations/operation-input.ts'
import { translateOperation } from './operations/translate.ts'
import { validateInSet, validateInSystem } from './operations/validate-code.ts'
import { terminologyRoutes } from './routes/terminology-routes.ts'
import { BatchWork, SetWork } from './set-work.ts'
import { combined, type TerminologySource } from './source.ts'
import { codesOf } from './value-set-codes.ts'

const codes = Array.from({ length: 100 }, (_each, at) => `c${at}`)

const held = memorySource({
  codeSystems: [{ url: 'urn:s', name: 'S', concepts: codes.map((code) => [code, `Called ${code}`]) }],
  valueSets: [{ url: 'urn:set', name: 'Set', include: [{ system: 'urn:s' }] }],
  conceptMaps: [
    {
      ...{ url: 'urn:map', name: 'Map' },
      groups: [{ source: 'urn:from', target: 'urn:s', pairs: codes.map((code) => ['all', code]) }],
    },
  ],
})

/** A source whose every answer takes a moment, with the questions to it and how many of them were open at once. */
function counted() {
  const asked: string[] = []
  let [open, most] = [0, 0]
  const source = Object.fromEntries(
    Object.entries(held).map(([name, ask]: [string, (...args: never[]) => Promise<unknown>]) => [
      name,
      async (...args: never[]) => {
        asked.push(name)
        most = Math.max(most, ++open)
        await Promise.resolve()
        return ask(...args).finally(() => open--)
      },
    ]),
    // Sound: the same functions under the same names.
  ) as unknown as TerminologySource
  return { source, most: () => most, times: (name: string) => asked.filter((one) => one === name).length }
}

const concept = (coding: readonly unknown[], url?: string) =>
  operationInput({
    body: {
      resourceType: 'Parameters',
      parameter: [
        { name: 'codeableConcept', valueCodeableConcept: { coding } },
        ...(url === undefined ? [] : [{ name: 'url', valueUri: url }]),
      ],
    },
  })

const codings = (count: number, system = 'urn:s') =>
  Array.from({ length: count }, (_each, at) => ({ system, code: `c${at}` }))

describe('a concept of many codings', () => {
  it.each([
    ['CodeSystem/$validate-code', validateInSystem, undefined],
    ['ValueSet/$validate-code', validateInSet, 'urn:set'],
    ['ConceptMap/$translate', translateOperation, undefined],
  ])('is looked up a few at a time by %s, and has 100 at most', async (_name, operation, url) => {
    const { source, most } = counted()
    await operation(concept(codings(100), url), source)
    expect(most()).toBeGreaterThan(0)
    expect(most()).toBeLessThanOrEqual(8)
    await expect(operation(concept(codings(101), url), source)).rejects.toMatchObject({
      kind: 'incorrect',
      fields: [{ message: 'codeableConcept may have 100 codings at most' }],
    })
  })

  it('is held against a value set that is read once', async () => {
    const { source, times } = counted()
    const { parameter } = await validateInSet(concept(codings(100), 'urn:set'), source)
    expect(parameter?.[0]).toEqual({ name: 'result', valueBoolean: true })
    expect(times('concepts')).toBe(1)
  })

  it('of which some are none is asked about the others', async () => {
    const none = [null, 5, 'c1', {}, { code: 7 }, { code: 'c1', system: {} }, { code: 'c1', display: 3 }]
    const answer = (coding: readonly unknown[]) => validateInSystem(concept(coding, 'urn:s'), held)
    expect((await answer([...none, { code: 'c1' }])).parameter?.[0]).toMatchObject({ valueBoolean: true })
    expect((await answer(none)).parameter?.[0]).toMatchObject({ valueBoolean: false })
  })
})

it('what a code is in many others is named in one question', async () => {
  const { source, times } = counted()
  const input = concept([{ system: 'urn:from', code: 'all' }])
  const { parameter = [] } = await translateOperation(input, source)
  const displays = parameter.flatMap(({ part = [] }) => part.flatMap(({ valueCoding }) => valueCoding?.display ?? []))
  expect(displays).toEqual(codes.map((code) => `Called ${code}`))
  expect([times('displays'), times('concept')]).toEqual([1, 0])
})

it('the codes of a message are looked up a few at a time', async () => {
  const { source, most } = counted()
  const answers = await answerNeeds(
    codes.map((code) => ({ system: 'urn:s', code, target: 'urn:s' })),
    source,
  )
  expect(answers.at(-1)).toEqual([{ system: 'urn:s', code: 'c99', display: 'Called c99' }])
  expect(most()).toBeLessThanOrEqual(8)
})

describe('a value set', () => {
  const root = { code: 'root', isSelfIn: true }
  const large = memorySource({
    codeSystems: [
      {
        ...{ url: 'urn:large', name: 'Large' },
        concepts: Array.from({ length: 1_000 }, (_each, at) => (at === 0 ? ['root'] : [`c${at}`, null, 'root'])),
      },
    ],
    valueSets: [],
    conceptMaps: [],
  })
  const codesIn = async (include: readonly Inclusion[], source = large, work = new SetWork()) => {
    const valueSets = [{ url: 'urn:set', name: 'Set', include }]
    const all = combined([memorySource({ codeSystems: [], valueSets, conceptMaps: [] }), source])
    return (await codesOf('urn:set', all, work))?.codes.length
  }
  const parts = (count: number, part: Omit<Inclusion, 'system'> = {}) =>
    Array.from({ length: count }, () => ({ system: 'urn:large', ...part }))
  const refusal = { kind: 'unprocessable', code: 'TOO_COSTLY' }

  it('is put together of a million codes, and each question to the terminology is one of 5,000', async () => {
    expect(await codesIn(parts(990))).toBe(1_000)
    await expect(codesIn(parts(991))).rejects.toMatchObject(refusal)
  })

  it('is refused for its filters, which are lines that each lead through a whole system', async () => {
    const part = { system: 'urn:large', below: Array.from({ length: 988 }, () => root) }
    expect(await codesIn([part])).toBe(1_000)
    await expect(codesIn([{ ...part, below: [...part.below, root] }])).rejects.toMatchObject(refusal)
  })

  it('is refused for the sets that it takes its codes from', async () => {
    const naming = (count: number) => [{ valueSets: Array.from({ length: count }, () => 'urn:large-set') }]
    const valueSets = [{ url: 'urn:large-set', name: 'Large', include: parts(1) }]
    const source = combined([memorySource({ codeSystems: [], valueSets, conceptMaps: [] }), large])
    expect(await codesIn(naming(492), source)).toBe(1_000)
    await expect(codesIn(naming(493), source)).rejects.toMatchObject(refusal)
  })

  it('is not filtered any further where nothing is left', async () => {
    const below = [{ code: 'nowhere', isSelfIn: true }, ...Array.from({ length: 10_000 }, () => root)]
    expect(await codesIn([{ system: 'urn:large', below }])).toBe(0)
  })

  it('asks for a system once, however many parts take their codes from it', async () => {
    const { source, times } = counted()
    const include = ['c1', 'c2', 'c3'].map((code) => ({ system: 'urn:s', below: [{ code, isSelfIn: true }] }))
    expect(await codesIn(include, source)).toBe(3)
    expect(times('concepts')).toBe(1)
  })

  it('lets others have their turn while it is put together, one part and filter after the other', async () => {
    const turnsDuring = async (include: readonly Inclusion[]) => {
      const state = { turns: 0, isDone: false }
      const counting = (async () => {
        for (; !state.isDone; state.turns++) await setImmediate()
      })()
      await codesIn(include)
      state.isDone = true
      await counting
      return state.turns
    }
    expect(await turnsDuring(parts(300))).toBeGreaterThan(25)
    expect(
      await turnsDuring([{ system: 'urn:large', below: Array.from({ length: 300 }, () => root) }]),
    ).toBeGreaterThan(25)
    expect(await turnsDuring(parts(1))).toBeLessThan(5)
  })

  it('is looked through for words of 300 characters', async () => {
    const expanded = (length: number) =>
      expand(operationInput({ query: new URLSearchParams({ url: 'urn:set', filter: 'x'.repeat(length) }) }), {
        ...{ source: held, now: () => new Date(0), newId: () => 'id' },
      })
    expect((await expanded(300)).expansion?.total).toBe(0)
    await expect(expanded(301)).rejects.toMatchObject({ kind: 'incorrect' })
  })
})

describe('the value sets of one batch', () => {
  const filter = [{ property: 'concept', op: 'is-a', value: 'c1' }] as const
  const valueSet = { resourceType: 'ValueSet', status: 'active', compose: { include: [{ system: 'urn:s', filter }] } }
  const parameters = { resourceType: 'Parameters', parameter: [{ name: 'valueSet', resource: valueSet }] }
  // Sound: it is all that the operations on a value set ask for.
  const deps = {
    terminology: held,
    validate: () => [],
    clock: new SimulatedClock(),
    ids: systemIds,
  } as unknown as FhirDeps
  const withoutBody = {} as IncomingRequest
  const callOf = (batchWork?: BatchWork, body: object = parameters) =>
    ({
      params: {},
      query: '',
      request: { rawBody: Buffer.from(JSON.stringify(body)) },
      batchWork,
    }) as unknown as FhirCall
  const routeOf = (path: string) => {
    const route = terminologyRoutes.find((one) => one.method === 'POST' && one.path === path)
    return async (call: FhirCall) => route?.run(call, deps)
  }
  const refusal = { kind: 'unprocessable', code: 'TOO_COSTLY' }

  it('may lead through so many codes together, those of a system that is read for one of its codes as well', async () => {
    const expanding = routeOf('/fhir/ValueSet/$expand')
    // Each reads the hundred codes of the system, and has one.
    const batchWork = new BatchWork(3 * 103)
    for (let time = 1; time <= 3; time++) await expanding(callOf(batchWork))
    await expect(expanding(callOf(batchWork))).rejects.toMatchObject(refusal)
    expect(await expanding(callOf())).toBeDefined()
  })

  it.each([
    ['/fhir/ValueSet/$validate-code', { url: 'urn:set', code: 'c1' }],
    ['/fhir/ConceptMap/$translate', { source: 'urn:set', system: 'urn:s', code: 'c1' }],
    ['/fhir/ConceptMap/$translate', { target: 'urn:set', system: 'urn:s', code: 'c1' }],
  ])('count for %s %j, too', async (path, asked) => {
    const parameter = Object.entries(asked).map(([name, valueString]) => ({ name, valueString }))
    const body = { resourceType: 'Parameters', parameter }
    const batchWork = new BatchWork(200)
    await routeOf(path)(callOf(batchWork, body))
    await expect(routeOf(path)(callOf(batchWork, body))).rejects.toMatchObject(refusal)
  })

  it('count what is stored and read for an entry, all of it for one of its codes', async () => {
    await using world = await fhirWorld()
    const concepts = codes.map((code) => ({ code, display: `Called ${code}` }))
    const system = {
      resourceType: 'CodeSystem',
      id: 'own',
      url: 'urn:own',
      status: 'active',
      content: 'complete',
      concept: concepts,
    }
    const set = {
      ...{ resourceType: 'ValueSet', id: 'own', status: 'active' },
      compose: { include: [{ system: 'urn:own' }] },
    }
    const group = [
      { source: 'urn:own', target: 'urn:s', element: [{ code: 'c1', target: [{ code: 'c2', equivalence: 'equal' }] }] },
    ]
    const map = { resourceType: 'ConceptMap', id: 'own', url: 'urn:own-map', status: 'active', group }
    for (const one of [system, set, map]) await world.call('PUT', `/${one.resourceType}/own`, { body: one })
    const asked = async (path: string, query: string, batchWork: BatchWork) => {
      const route = terminologyRoutes.find((one) => one.method === 'GET' && one.path === path)
      return route?.run({ ...callOf(batchWork), params: { id: 'own' }, query, request: withoutBody }, world.deps)
    }
    for (const [path, query] of [
      ['/fhir/CodeSystem/:id/$validate-code', 'code=c1'],
      ['/fhir/ValueSet/:id/$validate-code', 'code=c1&system=urn:own'],
      ['/fhir/ValueSet/:id/$expand', ''],
      ['/fhir/ConceptMap/:id/$translate', 'system=urn:own&code=c1'],
    ] as const) {
      expect(await asked(path, query, new BatchWork(1_000))).toBeDefined()
      await expect(asked(path, query, new BatchWork(2))).rejects.toMatchObject(refusal)
    }
  })

  it('share their work from the first entry to the last', async () => {
    const works: unknown[] = []
    const operation = {
      ...{ method: 'GET', path: '/fhir/ValueSet/$expand' },
      run: ({ batchWork }: FhirCall) => {
        works.push(batchWork)
        return { kind: 'made', content: '{}', touched: [] }
      },
    } as unknown as FhirRouteOptions
    const operate = operateIn([operation], callOf(), deps)
    const entry = { method: 'GET', path: 'ValueSet/$expand', query: '', resource: undefined } as const
    await operate(entry)
    await operate(entry)
    expect(works[0]).toBeInstanceOf(BatchWork)
    expect(works[1]).toBe(works[0])
  })
})
