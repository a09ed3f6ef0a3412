import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../../packages/faults/fault.ts'
import type { Parameters, ValueSet } from '../../../packages/fhir/r4.ts'
import type { Outbound } from '../../../packages/http/outbound/outbound.ts'
import { tellNotices } from '../../../packages/sql/notices.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { cachedTerminology } from '../../../ports/terminology/cached-terminology.ts'
import { terminologyContract } from '../../../ports/terminology/contract.ts'
import { httpTerminology } from '../../../ports/terminology/http-terminology.ts'
import type { TermAnswer } from '../../../ports/terminology/terminology.ts'
import { safeTargets } from '../../../ports/terminology/translation.ts'
import { outboundTo } from '../patient-index/testing/outbound-to.ts'
import { fhirWorld, program, tokenOf, type FhirWorld, type TestCaller } from '../testing/fhir-world.ts'
import { terminologyInProcess } from './in-process.ts'
import { loadTerminology } from './load.ts'

let world: FhirWorld
let outbound: Outbound
beforeAll(async () => {
  world = await fhirWorld()
  outbound = outboundTo(world.base)
})
afterAll(async () => {
  await outbound.close()
  await world[Symbol.asyncDispose]()
})

const overHttp = () => httpTerminology({ base: world.base, outbound, token: async () => tokenOf(program) })

terminologyContract('in process', () => terminologyInProcess(world.deps.terminology, world.database))
terminologyContract('of any R4 server', overHttp)
terminologyContract('cached', () => cachedTerminology(overHttp(), { clock: new SimulatedClock() }))

describe('many codes of one message', () => {
  const needs = Array.from({ length: 60 }, (_, at) => ({
    ...{ system: 'urn:local', target: 'urn:target' },
    code: `${at}`,
  }))

  it('are asked for a few at once, and in the order asked', async () => {
    let [underWay, most] = [0, 0]
    const asked: string[] = []
    const counted: Pick<Outbound, 'send'> = {
      async send(request) {
        most = Math.max(most, ++underWay)
        asked.push(request.url)
        return outbound.send(request).finally(() => underWay--)
      },
    }
    const terminology = httpTerminology({ base: world.base, outbound: counted, token: async () => tokenOf(program) })
    expect(await terminology.codingsIn(needs)).toEqual(needs.map(() => 'unmapped'))
    expect([asked.length, most]).toEqual([60, 16])
  })

  it('are not asked for any further when one was not answered', async () => {
    let asked = 0
    const failing: Pick<Outbound, 'send'> = {
      send: () => Promise.reject(unavailable(`Nobody is there, however often one asks: ${++asked}.`)),
    }
    const terminology = httpTerminology({ base: world.base, outbound: failing })
    await expect(terminology.codingsIn(needs)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(asked).toBe(16)
  })
})

describe('an answer of $translate', () => {
  const answer = (name: string, word: string) => ({
    resourceType: 'Parameters' as const,
    parameter: [
      {
        name: 'match',
        part: [
          { name, valueCode: word },
          { name: 'concept', valueCoding: { system: 'urn:target', code: 'x' } },
        ],
      },
    ],
  })

  it.each([
    ['equivalence', 'equivalent', true],
    ['equivalence', 'wider', true],
    ['equivalence', 'narrower', false],
    ['equivalence', 'inexact', false],
    ['relationship', 'equivalent', true],
    ['relationship', 'source-is-narrower-than-target', true],
    ['relationship', 'source-is-broader-than-target', false],
    ['other', 'equivalent', false],
  ])('with the %s %s is relied on: %s', (name, word, isSafe) => {
    expect(safeTargets(answer(name, word), 'urn:target')).toEqual(isSafe ? [{ system: 'urn:target', code: 'x' }] : [])
    expect(safeTargets(answer(name, word), 'urn:elsewhere')).toEqual([])
  })
})

describe('the cache', () => {
  it('believes an answer long and its absence briefly, and asks once for what is asked twice', async () => {
    const clock = new SimulatedClock()
    const asked: string[] = []
    const answers: Record<string, TermAnswer> = { a: [{ code: 'A' }] }
    const cached = cachedTerminology(
      {
        async codingsIn(needs) {
          asked.push(needs.map(({ code }) => code).join())
          return needs.map(({ code }) => answers[code] ?? 'unmapped')
        },
        lookup: async () => undefined,
      },
      { clock },
    )
    const ask = (...codes: string[]) => cached.codingsIn(codes.map((code) => ({ target: 't', system: 's', code })))
    expect(await ask('a', 'b', 'a')).toEqual([[{ code: 'A' }], 'unmapped', [{ code: 'A' }]])
    await ask('a', 'b')
    expect(asked).toEqual(['a,b'])
    await clock.advance(30_000)
    await ask('a', 'b')
    expect(asked).toEqual(['a,b', 'b'])
    await clock.advance(3_600_000)
    await ask('a')
    expect(asked).toEqual(['a,b', 'b', 'a'])
  })
})

it('the cache remembers nothing that was asked for before it was told to forget', async () => {
  const answers: PromiseWithResolvers<TermAnswer>[] = []
  const held = async () => {
    const answer = Promise.withResolvers<TermAnswer>()
    answers.push(answer)
    return [await answer.promise]
  }
  const cached = cachedTerminology({ codingsIn: held, lookup: async () => undefined }, { clock: new SimulatedClock() })
  const needs = [{ target: 't', system: 's', code: 'a' }]
  const before = cached.codingsIn(needs)
  cached.forget()
  answers[0]?.resolve('unmapped')
  expect(await before).toEqual(['unmapped'])
  const after = cached.codingsIn(needs)
  answers[1]?.resolve([{ code: 'A' }])
  expect([await after, await cached.codingsIn(needs)]).toEqual([[[{ code: 'A' }]], [[{ code: 'A' }]]])
})

describe('over HTTP', () => {
  it('operations take GET and POST, and refuse without a token', async () => {
    const path = '/CodeSystem/$lookup?system=http://loinc.org&code=718-7'
    expect((await world.call('GET', path)).body).toMatchObject({ resourceType: 'Parameters' })
    const body = {
      resourceType: 'Parameters',
      parameter: [{ name: 'coding', valueCoding: { system: 'http://loinc.org', code: '718-7' } }],
    }
    expect((await world.call('POST', '/CodeSystem/$lookup', { body })).status).toBe(200)
    expect((await world.call('GET', path, { as: null })).status).toBe(401)
    expect((await world.call('GET', '/CodeSystem/$lookup?system=urn:x&code=y')).status).toBe(404)
    expect((await world.call('GET', '/ValueSet/$expand')).status).toBe(400)
    expect((await world.call('GET', '/metadata')).text).toContain('OperationDefinition/ConceptMap-translate')
  })
})

describe('terminology of the record', () => {
  const valueSet = (...codes: readonly string[]) => ({
    resourceType: 'ValueSet',
    id: 'notifiable',
    url: 'https://example.org/ValueSet/notifiable',
    status: 'active',
    compose: { include: [{ system: 'http://loinc.org', concept: codes.map((code) => ({ code })) }] },
  })
  const expanded = async () => {
    const { status, text } = await world.call('GET', '/ValueSet/$expand?url=https://example.org/ValueSet/notifiable')
    const { expansion } = JSON.parse(text) as ValueSet
    return [status, expansion?.contains?.map(({ code }) => code)]
  }

  it('is answered from as it is written, changed and deleted', async () => {
    await world.call('PUT', '/ValueSet/notifiable', { body: valueSet('32700-7') })
    expect(await expanded()).toEqual([200, ['32700-7']])
    await world.call('PUT', '/ValueSet/notifiable', { body: valueSet('32700-7', '94500-6') })
    expect(await expanded()).toEqual([200, ['32700-7', '94500-6']])
    await world.call('DELETE', '/ValueSet/notifiable')
    expect(await expanded()).toEqual([404, undefined])
  })

  it('changes the state that copies of other services look at, as does what is loaded', async () => {
    const { state } = terminologyInProcess(world.deps.terminology, world.database)
    const states: (string | undefined)[] = [await state?.()]
    const told: string[] = []
    const hearing = world.database.hear('corridor_terminology', (text) => told.push(text))
    await waitFor(
      async () => {
        await world.database.run(tellNotices('corridor_terminology', ['heard']))
        return told.length > 0
      },
      { what: 'a session that hears' },
    )
    const map = JSON.stringify({ ...valueSet('718-7'), url: 'https://example.org/ValueSet/loaded' })
    const loadAt = (now: string) =>
      loadTerminology(map, {}, { database: world.database, clock: new SimulatedClock(now) })
    for (const change of [
      () => world.call('PUT', '/ValueSet/notifiable', { body: valueSet('32700-7') }),
      () => world.call('PUT', '/ValueSet/notifiable', { body: valueSet('94500-6') }),
      () => world.call('DELETE', '/ValueSet/notifiable'),
      () => loadAt('2026-03-04T10:00:00Z'),
      () => loadAt('2026-03-04T10:00:01Z'),
    ]) {
      await change()
      states.push(await state?.())
    }
    expect(new Set(states).size).toBe(6)
    await waitFor(() => told.filter((text) => text !== 'heard').length >= 5, { what: 'notices for other processes' })
    await hearing.end()
    expect(await state?.()).toBe(states.at(-1))
  })

  it('is expanded by its id, and where it came with the question', async () => {
    const codes = async (method: string, path: string, body?: object) => {
      const { status, text } = await world.call(method, path, body === undefined ? {} : { body })
      return [status, (JSON.parse(text) as ValueSet).expansion?.contains?.map(({ code }) => code)]
    }
    await world.call('PUT', '/ValueSet/notifiable', { body: valueSet('32700-7', '94500-6') })
    const path = '/ValueSet/notifiable/$expand'
    expect(await codes('GET', path)).toEqual([200, ['32700-7', '94500-6']])
    expect(await codes('GET', `${path}?count=1`)).toEqual([200, ['32700-7']])
    expect(await codes('POST', path, { resourceType: 'Parameters' })).toEqual([200, ['32700-7', '94500-6']])
    await world.call('DELETE', '/ValueSet/notifiable')
    expect(await codes('GET', path)).toEqual([410, undefined])
    const { url: _url, ...nameless } = valueSet('718-7')
    const sent = (resource: object) => ({ resourceType: 'Parameters', parameter: [{ name: 'valueSet', resource }] })
    expect(await codes('POST', '/ValueSet/$expand', sent(nameless))).toEqual([200, ['718-7']])
    expect(await codes('POST', '/ValueSet/$expand', sent({ ...nameless, compose: {} }))).toEqual([422, undefined])
    expect(await codes('POST', '/ValueSet/$expand', sent({ resourceType: 'Patient' }))).toEqual([400, undefined])
  })

  it('is what :in means where it says where the value set lies, for whoever may read it', async () => {
    const { url: _url, ...genders } = valueSet()
    const include = [{ system: 'http://hl7.org/fhir/administrative-gender', concept: [{ code: 'other' }] }]
    await world.call('PUT', '/ValueSet/genders', { body: { ...genders, id: 'genders', compose: { include } } })
    for (const gender of ['other', 'male']) {
      await world.call('PUT', `/Patient/in-${gender}`, {
        body: { resourceType: 'Patient', id: `in-${gender}`, gender },
      })
    }
    const found = async (value: string, as?: TestCaller) => {
      const path = `/Patient?_id=in-other,in-male&gender:in=${encodeURIComponent(value)}`
      const { status, body } = await world.call('GET', path, as === undefined ? {} : { as })
      return status === 200 ? body.entry?.map(({ resource }) => resource.id) : status
    }
    expect(await found('ValueSet/genders')).toEqual(['in-other'])
    expect(await found(`${world.base}/ValueSet/genders`)).toEqual(['in-other'])
    expect([await found('ValueSet/nowhere'), await found('http://elsewhere/ValueSet/genders')]).toEqual([400, 400])
    expect(await found('ValueSet/genders', { roles: ['SYSTEM'], scope: 'system/Patient.rs' })).toBe(400)
    await world.call('DELETE', '/ValueSet/genders')
    expect(await found('ValueSet/genders')).toBe(400)
  })

  it('that cannot be used is not said to be missing', async () => {
    const url = 'urn:by-pattern'
    const filter = [{ property: 'display', op: 'regex', value: '.*' }]
    const pattern = {
      ...valueSet(),
      id: 'pattern',
      url,
      compose: { include: [{ system: 'http://loinc.org', filter }] },
    }
    const map = {
      ...{ resourceType: 'ConceptMap', id: 'rest', url: 'urn:rest', status: 'active' },
      group: [
        {
          ...{ source: 'urn:a', target: 'urn:b', unmapped: { mode: 'fixed', code: 'x' } },
          element: [{ code: 'a', target: [{ code: 'b', equivalence: 'equal' }] }],
        },
      ],
    }
    await world.call('PUT', '/ValueSet/pattern', { body: pattern })
    await world.call('PUT', '/ConceptMap/rest', { body: map })
    const told = async (path: string) => {
      const { status, body } = await world.call('GET', path)
      return [status, body.issue[0]?.diagnostics]
    }
    const why = expect.stringContaining('display regex')
    expect(await told(`/ValueSet/$expand?url=${url}`)).toEqual([422, why])
    expect(await told(`/ValueSet/$validate-code?url=${url}&code=x`)).toEqual([422, why])
    expect(await told(`/Observation?code:in=${url}`)).toEqual([400, why])
    const unmapped = expect.stringContaining('group.unmapped')
    expect(await told('/ConceptMap/$translate?url=urn:rest&system=urn:a&code=a')).toEqual([422, unmapped])
    expect(await told(`/ValueSet/$expand?url=${encodeURIComponent(`${url}|9`)}`)).toEqual([404, expect.anything()])
    await world.call('DELETE', '/ValueSet/pattern')
    expect(await told(`/ValueSet/$expand?url=${url}`)).toEqual([404, expect.stringContaining('not known here')])
  })

  it('that is made of itself is wrong, and no matter of how often it is asked for', async () => {
    const itself = {
      ...valueSet(),
      id: 'itself',
      url: 'urn:itself',
      compose: { include: [{ valueSet: ['urn:itself'] }] },
    }
    await world.call('PUT', '/ValueSet/itself', { body: itself })
    expect((await world.call('GET', '/ValueSet/$expand?url=urn:itself')).status).toBe(422)
  })

  it('takes the place of nothing that comes with Corridor, and refuses nothing', async () => {
    const body = {
      resourceType: 'CodeSystem',
      id: 'genders',
      url: 'http://hl7.org/fhir/administrative-gender',
      status: 'active',
      content: 'complete',
      concept: [{ code: 'x' }],
    }
    expect((await world.call('PUT', '/CodeSystem/genders', { body })).status).toBe(201)
    const path = '/CodeSystem/$validate-code?url=http://hl7.org/fhir/administrative-gender&code='
    expect((await world.call('GET', `${path}male`)).text).toContain('"result","valueBoolean":true')
    expect((await world.call('GET', `${path}x`)).text).toContain('"result","valueBoolean":false')
    const filtered = {
      ...valueSet(),
      compose: { include: [{ system: 'urn:x', filter: [{ property: 'p', op: '=', value: 'v' }] }] },
    }
    expect((await world.call('PUT', '/ValueSet/notifiable', { body: filtered })).status).toBeLessThan(300)
  })

  it('is told apart by type and by version, and goes with its own resource only', async () => {
    const set = (id: string, version: string, code: string) => ({
      ...{ ...valueSet(code), id, version },
      url: 'urn:two',
    })
    const codesOf = async (url: string) => {
      const { status, text } = await world.call('GET', `/ValueSet/$expand?url=${encodeURIComponent(url)}`)
      return [status, ...((JSON.parse(text) as ValueSet).expansion?.contains ?? []).map(({ code }) => code)]
    }
    await world.call('PUT', '/ValueSet/v1', { body: set('v1', 'x', '32700-7') })
    await world.call('PUT', '/ValueSet/v2', { body: set('v2', 'y', '94500-6') })
    await world.call('PUT', '/CodeSystem/two', { body: codeSystem('two', 'urn:two', { code: 'c', display: 'C' }) })
    expect(await codesOf('urn:two')).toEqual([200, '94500-6'])
    expect([await codesOf('urn:two|x'), await codesOf('urn:two|y')]).toEqual([
      [200, '32700-7'],
      [200, '94500-6'],
    ])
    expect(await codesOf('urn:two|z')).toEqual([404])
    const validate = '/ValueSet/$validate-code?url=urn:two&system=http://loinc.org&code=32700-7&valueSetVersion='
    expect((await world.call('GET', `${validate}x`)).text).toContain('"valueBoolean":true')
    expect((await world.call('GET', `${validate}y`)).text).toContain('"valueBoolean":false')
    expect((await world.call('GET', `${validate}z`)).status).toBe(404)
    expect(await displayed('urn:two', 'c')).toBe('C')
    await world.call('DELETE', '/ValueSet/v2')
    expect(await codesOf('urn:two')).toEqual([200, '32700-7'])
    await world.call('DELETE', '/ValueSet/v1')
    expect([await codesOf('urn:two'), await displayed('urn:two', 'c')]).toEqual([[404], 'C'])
    await world.call('DELETE', '/CodeSystem/two')
    expect(await displayed('urn:two', 'c')).toBe(404)
  })

  it('takes the place of nothing that an operator loaded, before or after', async () => {
    const snomed = 'http://snomed.info/sct'
    const loaded = codeSystem('-', snomed, { code: '22298006', display: 'Myocardial infarction' }, { code: '1' })
    const wrong = codeSystem('x1', snomed, { code: '22298006', display: 'Something else' })
    const load = () => loadTerminology(JSON.stringify(loaded), {}, { database: world.database, clock: systemClock })
    await world.call('PUT', '/CodeSystem/x1', { body: wrong })
    expect(await displayed(snomed, '22298006')).toBe('Something else')
    await load()
    expect(await displayed(snomed, '22298006')).toBe('Myocardial infarction')
    expect((await world.call('PUT', '/CodeSystem/x1', { body: wrong })).status).toBe(200)
    expect(await displayed(snomed, '22298006')).toBe('Myocardial infarction')
    expect((await world.call('DELETE', '/CodeSystem/x1')).status).toBe(204)
    expect([await displayed(snomed, '22298006'), await displayed(snomed, '1')]).toEqual(['Myocardial infarction', '1'])
  })

  it('translates nothing that others translate, under their address or its own', async () => {
    const tables = 'http://terminology.hl7.org/CodeSystem/v2-0001'
    const genders = 'http://hl7.org/fhir/administrative-gender'
    const map = (url: string) => ({
      ...{ resourceType: 'ConceptMap', id: 'genders', url, status: 'active' },
      group: [
        {
          ...{ source: tables, target: genders },
          element: ['M', 'Q'].map((code) => ({ code, target: [{ code: 'female', equivalence: 'equal' }] })),
        },
      ],
    })
    const matches = async (code: string, query = '') => {
      const path = `/ConceptMap/$translate?system=${tables}&code=${code}&targetsystem=${genders}${query}`
      const { text } = await world.call('GET', path)
      return (JSON.parse(text) as Parameters).parameter
        ?.filter(({ name }) => name === 'match')
        .map(({ part = [] }) => part.find(({ name }) => name === 'concept')?.valueCoding?.code)
    }
    const shipped = 'urn:corridor:concept-map:v2-0001-administrative-gender'
    expect((await world.call('PUT', '/ConceptMap/genders', { body: map(shipped) })).status).toBe(201)
    expect([await matches('M'), await matches('Q'), await matches('Q', `&url=${shipped}`)]).toEqual([['male'], [], []])
    await world.call('PUT', '/ConceptMap/genders', { body: map('urn:own') })
    expect([await matches('M'), await matches('Q')]).toEqual([['male'], ['female']])
    expect(await matches('M', '&url=urn:own')).toEqual(['female'])
    expect((await world.call('GET', '/ConceptMap/$translate?system=a&code=b&url=urn:nowhere')).status).toBe(404)
    // By its id it is asked as it stands.
    const { text } = await world.call('GET', `/ConceptMap/genders/$translate?system=${tables}&code=M`)
    expect(text).toContain('"female"')
  })

  it('is asked by its id, also without an address', async () => {
    const { url: _url, ...set } = valueSet('718-7')
    await world.call('PUT', '/ValueSet/notifiable', { body: set })
    await world.call('PUT', '/CodeSystem/own', { body: codeSystem('own', 'urn:own-codes', { code: 'c' }) })
    const results = async (path: string) => {
      const { status, text } = await world.call('GET', path)
      return [status, (JSON.parse(text) as Parameters).parameter?.find(({ name }) => name === 'result')?.valueBoolean]
    }
    const inSet = '/ValueSet/notifiable/$validate-code?system=http://loinc.org&code='
    expect([await results(`${inSet}718-7`), await results(`${inSet}2345-7`)]).toEqual([
      [200, true],
      [200, false],
    ])
    expect(await results('/CodeSystem/own/$validate-code?code=c')).toEqual([200, true])
    expect(await results('/CodeSystem/own/$validate-code?code=d')).toEqual([200, false])
    const body = { resourceType: 'Parameters', parameter: [{ name: 'code', valueCode: 'c' }] }
    const posted = await world.call('POST', '/CodeSystem/own/$validate-code', { body })
    expect(posted.text).toContain('"valueBoolean":true')
    expect(await results('/CodeSystem/never/$validate-code?code=d')).toEqual([404, undefined])
    expect(await results('/ConceptMap/never/$translate?system=a&code=d')).toEqual([404, undefined])
  })

  it('that has no version is looked up without one', async () => {
    await world.call('PUT', '/CodeSystem/own', { body: codeSystem('own', 'urn:own-codes', { code: 'c' }) })
    const { text } = await world.call('GET', '/CodeSystem/$lookup?system=urn:own-codes&code=c')
    expect(text).not.toContain('null')
    expect((await world.call('GET', '/CodeSystem/$lookup?system=urn:own-codes&code=c&version=2')).status).toBe(404)
  })

  const codeSystem = (id: string, url: string, ...concept: readonly object[]) => ({
    ...{ resourceType: 'CodeSystem', id, url, status: 'active', content: 'fragment' },
    concept,
  })

  /** The display of a code, or the status of the answer. */
  async function displayed(system: string, code: string): Promise<string | number | undefined> {
    const { status, text } = await world.call('GET', `/CodeSystem/$lookup?system=${system}&code=${code}`)
    if (status !== 200) return status
    return (JSON.parse(text) as Parameters).parameter?.find(({ name }) => name === 'display')?.valueString
  }
})
