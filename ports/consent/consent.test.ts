import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { SimulatedClock } from '../../packages/clock/simulated-clock.ts'
import { unavailable } from '../../packages/faults/fault.ts'
import { makeOutbound, type Outbound } from '../../packages/http/outbound/outbound.ts'
import { traceOf } from '../../packages/http/trace.ts'
import { silentLog } from '../../packages/log/log.ts'
import { Metrics } from '../../packages/metrics/metrics.ts'
import type { ConsentQuestion } from './consent.ts'
import { httpConsent } from './http-consent.ts'
import { inProcessConsent } from './in-process-consent.ts'
import { unavailableConsent } from './unavailable-consent.ts'

const question: ConsentQuestion = {
  patientId: 'Patient/p1',
  actorReferences: ['Organization/central', 'Device/app'],
  resourceType: 'Observation',
  fhirOperation: 'READ',
}

const no = { is: 'unanswered', permitted: false, fault: { kind: 'unavailable' } }

/** Every body that must not be taken for a yes. */
const badBodies = [
  ...['', 'null', 'true', '"permitted"', '[]', '{}', '{"permitted":null}', '{"permitted":"true"}', '{"permitted":1}'],
  ...['{"Permitted":true}', '{"decision":{"permitted":true}}', '[{"permitted":true}]', '{"permitted":true', '<html>'],
]

const open: (Server | Outbound)[] = []
afterEach(async () => {
  for (const one of open.splice(0)) {
    if ('closeAllConnections' in one) one.closeAllConnections()
    await one.close()
  }
})

async function portTo(answer: RequestListener, deadlineMs = 3_000, clock = systemClock) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { base, port: portAt(base, deadlineMs, clock, server) }
}

function portAt(base: string, deadlineMs: number, clock = systemClock, server?: Server) {
  const outbound = makeOutbound({
    origins: [{ url: base, name: 'consent service' }],
    ...{ deadlineMs: 10_000, responseBytesMax: 100_000, clock, log: silentLog, metrics: new Metrics() },
  })
  open.push(...(server === undefined ? [] : [server]), outbound)
  let tokens = 1
  const token = { token: async () => `token-${tokens}`, forget: () => void tokens++ }
  return httpConsent({ base, outbound, token, deadlineMs })
}

describe('over HTTP', () => {
  it('asks as a service account, with the trace of the request it serves', async () => {
    const seen: unknown[] = []
    const { port } = await portTo(({ method, url, headers }, response) => {
      seen.push([method, url, headers.authorization, headers['x-request-id']])
      response.end('{"permitted":true,"reason":"r","consentRecordId":5,"decisionId":"d"}')
    })
    const trace = traceOf({ 'x-request-id': '4bf92f3577b34da6' }, systemIds)
    const answer = await port.evaluate({ ...question, purposeOfUse: 'RESEARCH' }, { trace })
    expect(answer).toEqual({
      is: 'answered',
      permitted: true,
      outcome: 'PERMIT',
      reason: 'r',
      consentRecordId: 5,
      decisionId: 'd',
    })
    const query =
      'patientId=Patient%2Fp1&resourceType=Observation&fhirOperation=READ&actorReference=Organization%2Fcentral&actorReference=Device%2Fapp&purposeOfUse=RESEARCH'
    expect(seen).toEqual([['POST', `/api/consent/evaluate?${query}`, 'Bearer token-1', '4bf92f3577b34da6']])
  })

  it.each(badBodies)('takes %j for no', async (body) => {
    const { port } = await portTo((_request, response) => response.end(body))
    expect(await port.evaluate(question)).toMatchObject(no)
  })

  it.each([201, 204, 302, 400, 403, 404, 429, 500, 502, 503])('takes the status %i for no', async (status) => {
    const { port } = await portTo((_request, response) =>
      response.writeHead(status, { location: '/elsewhere' }).end('{"permitted":true}'),
    )
    expect(await port.evaluate(question)).toMatchObject(no)
  })

  it('replaces a refused token once', async () => {
    const seen: (string | undefined)[] = []
    const { port } = await portTo(({ headers }, response) => {
      seen.push(headers.authorization)
      response.writeHead(seen.length === 1 ? 401 : 200).end('{"permitted":true}')
    })
    expect(await port.evaluate(question)).toMatchObject({ permitted: true, reason: '' })
    const refusing = await portTo((_request, response) => response.writeHead(401).end('{"permitted":true}'))
    expect(await refusing.port.evaluate(question)).toMatchObject(no)
    expect(seen).toEqual(['Bearer token-1', 'Bearer token-2'])
  })

  it('gives up a service that is too slow', async () => {
    const clock = new SimulatedClock()
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const { port } = await portTo(() => resolve(), 500, clock)
    const answer = port.evaluate(question)
    await asked
    await clock.advance(500)
    expect(await answer).toMatchObject({ ...no, reason: expect.stringContaining('within 500 ms') })
  })

  it('says no when nobody is there, or no token is to be had', async () => {
    expect(await portAt('http://127.0.0.1:1', 500).evaluate(question)).toMatchObject(no)
    const token = { token: () => Promise.reject(unavailable('No token.')), forget: () => {} }
    const port = httpConsent({
      base: 'http://127.0.0.1:1',
      outbound: { send: () => Promise.reject(new Error()) },
      token,
    })
    expect(await port.evaluate(question)).toMatchObject({ ...no, reason: expect.stringContaining('No token.') })
  })
})

describe('in the same process', () => {
  it.each([undefined, null, {}, [], { permitted: 'true' }, { permitted: 1 }])('takes %j for no', async (decision) => {
    const port = inProcessConsent({ evaluate: async () => decision, clock: systemClock })
    expect(await port.evaluate(question)).toMatchObject(no)
  })

  it('takes a fault for no, also one that is our own mistake, and shows nothing of it', async () => {
    const evaluate = () => Promise.reject(new TypeError('secret_table is not a function'))
    const answer = await inProcessConsent({ evaluate, clock: systemClock }).evaluate(question)
    expect(answer).toMatchObject({ is: 'unanswered', permitted: false, fault: { kind: 'bug' } })
    expect(answer.reason).not.toContain('secret_table')
  })

  it('gives up what is too slow', async () => {
    const clock = new SimulatedClock()
    const port = inProcessConsent({ evaluate: () => new Promise(() => {}), clock, deadlineMs: 500 })
    const answer = port.evaluate(question)
    await clock.advance(500)
    expect(await answer).toMatchObject(no)
  })

  it('gives up when whoever asked goes, and does not begin when they had gone before', async () => {
    let asked = 0
    const evaluate = () => new Promise(() => void asked++)
    const port = inProcessConsent({ evaluate, clock: new SimulatedClock() })
    const gone = new AbortController()
    const answer = port.evaluate(question, { signal: gone.signal })
    gone.abort(unavailable('The sender has gone.'))
    const given = { ...no, reason: expect.stringContaining('The sender has gone.') }
    expect(await answer).toMatchObject(given)
    expect(await port.evaluate(question, { signal: gone.signal })).toMatchObject(given)
    expect(asked).toBe(1)
  })
})

describe('without a consent service', () => {
  it('nothing is permitted', async () => {
    expect(await unavailableConsent.evaluate(question)).toMatchObject(no)
  })
})
