import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { makeOutbound } from '../../packages/http/outbound.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
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
async function indexOn(routes: Readonly<Record<string, Answer>>) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    asked.push(`${request.method} ${path}`)
    request.resume().once('end', () => (routes[`${request.method} ${path}`] ?? notFound)(request, response))
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as { port: number }).port}/r4`
  const outbound = makeOutbound({
    ...{ origins: [base], deadlineMs: 5_000, responseBytesMax: 100_000 },
    ...{ clock: systemClock, log: silentLog, metrics: new Metrics() },
  })
  return { asked, index: httpPatientIndex({ base, outbound, newGoldenId: () => 'would-be' }) }
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
