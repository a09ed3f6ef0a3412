import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { makeOutbound } from '../../packages/http/outbound/outbound.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import type { Patient } from '../../packages/fhir/r4.ts'
import { corridorPatientIndex } from './corridor-patient-index.ts'
import { httpPatientIndex } from './http-patient-index.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server of somebody else, as far as it is asked. */
async function indexOn(routes: Readonly<Record<string, Answer>>, path = '/r4') {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const question = `${request.method} ${(request.url ?? '').split('?')[0]}`
    asked.push(question)
    request.resume().once('end', () => (routes[question] ?? notFound)(request, response))
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as { port: number }).port}${path}`
  const outbound = makeOutbound({
    ...{ origins: [base], deadlineMs: 5_000, responseBytesMax: 100_000 },
    ...{ clock: systemClock, log: silentLog, metrics: new Metrics() },
  })
  const options = { base, outbound, newGoldenId: () => 'would-be' }
  const clock = new SimulatedClock('2026-03-04T05:00:00Z')
  return { asked, clock, index: httpPatientIndex(options), foundIndex: corridorPatientIndex({ ...options, clock }) }
}

const json = (status: number, body: object, headers: Record<string, string> = {}): Answer => {
  return (_request, response) => void response.writeHead(status, headers).end(JSON.stringify(body))
}
const notFound = json(404, { resourceType: 'OperationOutcome' })
const bundle = (...entry: readonly object[]) => ({ resourceType: 'Bundle', type: 'searchset', entry })
const nobody = json(200, bundle())
const match = (id: string, grade: string | undefined, score: number, link: object[] = []) => ({
  resource: { resourceType: 'Patient', id, link },
  search: {
    mode: 'match',
    score,
    ...(grade === undefined
      ? {}
      : { extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/match-grade', valueCode: grade }] }),
  },
})
const created: Answer = (_request, response) =>
  void response.writeHead(201, { location: 'http://elsewhere.example/r4/Patient/g-1/_history/1' }).end()

const page: Answer = (_request, response) => void response.end('<html>')

const patient = {
  resourceType: 'Patient' as const,
  identifier: [{ system: 'urn:mrn', value: '1' }],
  name: [{ family: 'Diallo' }],
}

describe('the index on a server of others', () => {
  it('without $match gets a golden record by a conditional create, whose id is in Location', async () => {
    const { index, asked } = await indexOn({ 'POST /r4/Patient/_search': nobody, 'POST /r4/Patient': created })
    expect(await index.resolve([patient])).toEqual([{ goldenId: 'g-1', outcome: 'new' }])
    expect(asked).toEqual(['POST /r4/Patient/_search', 'POST /r4/Patient/$match', 'POST /r4/Patient'])
  })

  it('gets no golden record of somebody who had the number before, and the one of its own message again', async () => {
    const refer = (goldenId: string) => [{ type: 'refer', other: { reference: `Patient/${goldenId}` } }]
    const other = { identifier: [{ system: 'urn:mrn', value: '2' }], link: refer('g-1') }
    const conditionally: Answer = ({ headers }, response) => {
      const isFirst = headers['if-none-exist']?.toString().endsWith('|would-be') === true
      const location = `http://elsewhere.example/r4/Patient/${isFirst ? 'g-1' : 'g-2'}/_history/1`
      response.writeHead(200, { location }).end()
    }
    const resolved = async (...records: readonly object[]) => {
      // A server that knows no search by link finds anybody.
      const stranger = { resourceType: 'Patient', id: 'p-9', link: refer('g-9') }
      const found = records.map((rest, at) => ({ resource: { resourceType: 'Patient', id: `p-${at}`, ...rest } }))
      const { index } = await indexOn({
        'POST /r4/Patient/_search': json(200, bundle(...found, { resource: stranger })),
        'POST /r4/Patient': conditionally,
      })
      return (await index.resolve([patient]))[0]?.goldenId
    }
    expect(await resolved()).toBe('g-1')
    expect(await resolved(other)).toBe('g-2')
  })

  it.each([
    ['certain', [match('p-1', 'certain', 1)], 'p-1'],
    [
      'of a linked record',
      [match('p-1', 'certain', 1, [{ type: 'refer', other: { reference: 'Patient/g-9' } }])],
      'g-9',
    ],
    ['probable', [match('p-1', 'probable', 0.99)], 'g-1'],
    ['without a grade', [match('p-1', undefined, 1)], 'g-1'],
    ['of two people', [match('p-1', 'certain', 1), match('p-2', 'certain', 1)], 'g-1'],
  ])('links a match that is %s to %s', async (_name, entries, goldenId) => {
    const { index } = await indexOn({
      'POST /r4/Patient/_search': nobody,
      'POST /r4/Patient/$match': json(200, bundle(...entries)),
      'POST /r4/Patient': created,
    })
    expect(await index.resolve([patient])).toMatchObject([{ goldenId }])
  })

  it('leaves out who is certainly not meant', async () => {
    const entries = [match('p-1', 'certainly-not', 0.1), match('p-2', 'possible', 0.6)]
    const { index } = await indexOn({ 'POST /r4/Patient/$match': json(200, bundle(...entries)) })
    expect((await index.match(patient)).map(({ patient: { id } }) => id)).toEqual(['p-2'])
  })

  it.each([
    ['fails', json(500, {})],
    ['answers with something else', json(200, { resourceType: 'Patient' })],
    ['answers with no JSON', page],
  ])('is unavailable when it %s', async (_name, answer) => {
    const { index } = await indexOn({
      'POST /r4/Patient/_search': nobody,
      'POST /r4/Patient/$match': answer,
      'GET /r4/metadata': answer,
    })
    await expect(index.resolve([patient])).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(index.check()).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('numbers on a server of others', () => {
  const typed = (code: string, value: string) => ({ type: { coding: [{ code }] }, system: `urn:${code}`, value })
  const called = (birthDate: string, ...given: string[]) => ({ name: [{ family: 'Diallo', given }], birthDate })
  const entry = (id: string, golden: string, rest: object) => ({
    resource: {
      resourceType: 'Patient',
      id,
      link: [{ type: 'refer', other: { reference: `Patient/${golden}` } }],
      ...rest,
    },
  })
  const asks = (found: readonly object[], matches: Answer = notFound) =>
    indexOn({
      'POST /r4/Patient/_search': json(200, bundle(...found)),
      'POST /r4/Patient/$match': matches,
      'POST /r4/Patient': created,
    })
  const recognised = async (found: readonly object[], rest: Partial<Patient>, matches?: Answer) => {
    const { index } = await asks(found, matches)
    return (await index.recognise([{ resourceType: 'Patient', ...rest }]))[0]
  }

  it('of two golden records are told in their order, and which is the first does not hang on the answer', async () => {
    const [a, b] = [typed('MR', '1'), typed('PI', '2')]
    const found = [entry('p-1', 'g-b', { identifier: [b] }), entry('p-2', 'g-a', { identifier: [a] })]
    for (const answer of [found, found.toReversed()]) {
      expect(await recognised(answer, { identifier: [a, b] })).toEqual({
        ...{ goldenId: 'g-a', outcome: 'known', rivals: ['g-b'] },
      })
      expect(await recognised(answer, { identifier: [b] })).toEqual({ goldenId: 'g-b', outcome: 'known' })
    }
  })

  it('that went with a merge, and those that a family shares, are of nobody', async () => {
    const gone = [entry('p-1', 'g-1', { identifier: [{ ...typed('MR', '1'), use: 'old' }] })]
    expect(await recognised(gone, { identifier: [typed('MR', '1')] })).toBeUndefined()
    const { index, asked } = await asks([entry('p-1', 'g-1', { identifier: [typed('MB', '7')] })])
    expect(await index.recognise([{ resourceType: 'Patient', identifier: [typed('MB', '7')] }])).toEqual([undefined])
    expect(asked).toEqual(['POST /r4/Patient/$match'])
  })

  it('that stand where nobody knows one are not asked for', async () => {
    const identifier = [typed('SS', '999-99-9999')]
    const { index, asked } = await asks([entry('p-1', 'g-1', { identifier, ...called('1990-09-09', 'Awa') })])
    expect(await index.recognise([{ resourceType: 'Patient', identifier, ...called('1990-09-09', 'Awa') }])).toEqual([
      undefined,
    ])
    expect(asked).toEqual(['POST /r4/Patient/$match'])
  })

  const mother = entry('p-1', 'g-1', { identifier: [typed('NI', '9')], ...called('1990-09-09', 'Awa', 'Marie') })
  const son = entry('p-1', 'g-1', { identifier: [typed('NI', '9')], ...called('2026-01-30', 'Muhammad', 'Hasan') })

  it.each<[string, object, Partial<Patient>, string | undefined]>([
    ['is whom it was, without a name', mother, called('1990-09-09', 'Awa'), 'g-1'],
    ['is whom it was, with a hyphen', mother, called('1990-09-09', 'AWA-Marie'), 'g-1'],
    ["is the mother's newborn", mother, called('2026-01-30', 'Khady'), undefined],
    ['is a daughter of one name', mother, called('2026-01-30', 'Awa', 'Marie'), undefined],
    ['is a twin', son, called('2026-01-30', 'Khady'), undefined],
    ['is a twin with a name in common', son, called('2026-01-30', 'Muhammad', 'Husayn'), undefined],
    ['has no name', son, { birthDate: '2026-01-30' }, undefined],
  ])('of a country, without $match: whoever has it %s', async (_who, found, rest, goldenId) => {
    const identifier = [typed('NI', '9')]
    expect((await recognised([found], { identifier, ...rest }))?.goldenId).toBe(goldenId)
    // Where the server can compare people, it is asked to.
    expect(await recognised([found], { identifier, ...rest }, nobody)).toBeUndefined()
  })
})

describe('the index of a server that says what it is', () => {
  const metadata = (software?: object) =>
    json(200, { resourceType: 'CapabilityStatement', ...(software === undefined ? {} : { software }) })
  const ours = metadata({ name: 'Corridor' })
  const resolve = 'POST /api/patient-index/resolve'
  const matched = { goldenId: 'g-7', outcome: 'matched', grade: 'certain', score: 1 }

  it('is asked in one call where it is Corridor, and newcomers stay unknown until they are welcomed', async () => {
    const resolutions = [matched, { goldenId: 'g-8', outcome: 'new' }]
    const { foundIndex, asked } = await indexOn(
      { 'GET /fhir/metadata': ours, [resolve]: json(200, { resolutions }) },
      '/fhir',
    )
    expect(await foundIndex.resolve([patient, patient])).toEqual(resolutions)
    expect(await foundIndex.recognise([patient, patient])).toEqual([matched, undefined])
    expect(await Promise.all([foundIndex.resolve([]), foundIndex.recognise([])])).toEqual([[], []])
    expect(asked).toEqual(['GET /fhir/metadata', resolve, resolve])
  })

  it.each([
    ['somebody else', metadata({ name: 'HAPI FHIR Server' }), []],
    ['nobody', metadata(), []],
    ['Corridor behind a gateway that lets only FHIR through', ours, [resolve]],
  ])('is asked in the way of R4 where it is %s', async (_what, answer, before) => {
    const { foundIndex, asked } = await indexOn(
      { 'GET /fhir/metadata': answer, 'POST /fhir/Patient/_search': nobody, 'POST /fhir/Patient': created },
      '/fhir',
    )
    expect(await foundIndex.resolve([patient])).toEqual([{ goldenId: 'g-1', outcome: 'new' }])
    expect(asked.slice(0, 2 + before.length)).toEqual(['GET /fhir/metadata', ...before, 'POST /fhir/Patient/_search'])
    expect(await foundIndex.recognise([patient])).toEqual([undefined])
  })

  it('is believed for ten minutes', async () => {
    const { foundIndex, asked, clock } = await indexOn(
      { 'GET /fhir/metadata': ours, [resolve]: json(200, { resolutions: [matched] }) },
      '/fhir',
    )
    const timesAsked = () => asked.filter((question) => question === 'GET /fhir/metadata').length
    await foundIndex.resolve([patient])
    await clock.advance(599_999)
    await foundIndex.resolve([patient])
    expect(timesAsked()).toBe(1)
    await clock.advance(1)
    await foundIndex.resolve([patient])
    expect(timesAsked()).toBe(2)
  })

  it.each([
    ['does not say what it is', json(503, {}), json(200, { resolutions: [matched] })],
    ['refuses', ours, json(403, {})],
    ['fails', ours, json(500, {})],
    ['answers for too few', ours, json(200, { resolutions: [] })],
    ['answers without a golden record', ours, json(200, { resolutions: [{ outcome: 'new' }] })],
    ['answers with something else', ours, json(200, [])],
    ['answers with no JSON', ours, page],
  ])('is unavailable when it %s', async (_what, statement, answer) => {
    const { foundIndex } = await indexOn({ 'GET /fhir/metadata': statement, [resolve]: answer }, '/fhir')
    await expect(foundIndex.resolve([patient])).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
