import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { systemIds } from '../../clock/ids.ts'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { Fault, faultOf } from '../../faults/fault.ts'
import { silentLog } from '../../log/log.ts'
import { Metrics } from '../../metrics/metrics.ts'
import { NeverConnected } from './exchange.ts'
import { failedCall, lateCall, neverHadTurn, wasNeverConnected } from './outbound-faults.ts'
import { makeOutbound, type OutboundOptions } from './outbound.ts'
import { waitFor } from '../../testkit/wait-for.ts'
import { traceOf } from '../trace.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const part of open.splice(0)) await part.close()
})

async function serve(
  answer: RequestListener,
): Promise<{ url: string; requests: IncomingMessage[]; sockets: Set<Socket> }> {
  const requests: IncomingMessage[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, requests, sockets }
}

function outboundTo(origins: OutboundOptions['origins'], overrides: Partial<OutboundOptions> = {}) {
  const metrics = new Metrics()
  const options = { origins, deadlineMs: 10_000, responseBytesMax: 1_000, clock: systemClock, log: silentLog, metrics }
  const outbound = makeOutbound({ ...options, ...overrides })
  open.push(outbound)
  return { outbound, metrics }
}

describe('a call', () => {
  it('brings back any status with its headers and body', async () => {
    const { url } = await serve((_request, response) => response.writeHead(418, { etag: '"1"' }).end('{"a":1}'))
    const { outbound, metrics } = outboundTo([{ url, name: 'teapot' }])
    const answer = await outbound.sendJson({ method: 'POST', url: `${url}/x`, json: { b: 2 } })
    expect(answer).toMatchObject({ status: 418 })
    expect(answer.headers.get('etag')).toBe('"1"')
    expect(answer.json()).toEqual({ a: 1 })
    expect(await metrics.text()).toContain('dependency="teapot",outcome="418"')
  })

  it('sends what it is given, with the trace of the request it serves', async () => {
    const { url, requests } = await serve((request, response) => request.pipe(response))
    const { outbound } = outboundTo([url])
    const trace = traceOf({ 'x-request-id': '4bf92f3577b34da6' }, systemIds)
    const answer = await outbound.sendJson({ method: 'PUT', url: `${url}/x?y=z`, json: { name: 'Amina' }, trace })
    expect(answer.json()).toEqual({ name: 'Amina' })
    expect(requests[0]).toMatchObject({ method: 'PUT', url: '/x?y=z' })
    expect(requests[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': '4bf92f3577b34da6',
      traceparent: expect.stringMatching(new RegExp(`^00-${trace.traceId}-[0-9a-f]{16}-00$`)),
    })
  })

  it.each([
    ['GET', 200, 3],
    ['HEAD', 200, 3],
    ['POST', 'unavailable', 2],
  ] as const)('%s on a kept connection that its server ends ends with %s', async (method, ending, count) => {
    const used = new Set<Socket>()
    const { url, requests } = await serve((request, response) => {
      if (used.has(request.socket)) request.socket.resetAndDestroy()
      else response.end()
      used.add(request.socket)
    })
    const { outbound } = outboundTo([url])
    await outbound.send({ url })
    const ended = await outbound.send({ method, url }).then(
      ({ status }) => status,
      (thrown: unknown) => faultOf(thrown).kind,
    )
    expect([ended, requests.length]).toEqual([ending, count])
  })

  it('uses a connection again, and leaves none open when closed', async () => {
    const { url, sockets } = await serve((_request, response) => response.end('{}'))
    const { outbound } = outboundTo([url])
    for (let count = 0; count < 5; count++) await outbound.getJson(url)
    expect(sockets.size).toBe(1)
    const [socket] = sockets
    const closed = new Promise((resolve) => socket?.once('close', resolve))
    await outbound.close()
    await closed
  })
})

describe('a call goes only to listed origins', () => {
  it.each([
    ['http://127.0.0.1:1/', 'not on the list'],
    ['http://127.0.0.1.evil.example/', 'not on the list'],
    ['http://listed.example:8080.evil.example/', 'Invalid URL'],
    ['http://listed.example:8080@evil.example/', 'credentials'],
    ['https://listed.example:8080/', 'not on the list'],
    ['http://listed.example:80800/', 'Invalid URL'],
    ['http://LISTED.example:8081/', 'not on the list'],
    ['http://2130706433/', 'not on the list'],
    ['http://[::ffff:127.0.0.1]:8080/', 'not on the list'],
    ['file:///etc/passwd', 'only http and https'],
  ])('%s is stopped', async (url, why) => {
    const { outbound } = outboundTo(['http://listed.example:8080/base'])
    await expect(outbound.send({ url })).rejects.toThrow(why)
    expect(outbound.allows(url)).toBe(false)
  })

  it('and knows them by origin, not by text', () => {
    const { outbound } = outboundTo(['http://listed.example:8080/base'])
    expect(outbound.allows('http://LISTED.example:8080/other?x=http://evil.example')).toBe(true)
  })

  it('and follows no redirect', async () => {
    const target = await serve((_request, response) => response.end('{}'))
    const { url } = await serve((_request, response) => response.writeHead(302, { location: target.url }).end())
    const { outbound } = outboundTo([url, target.url])
    expect(await outbound.send({ url })).toMatchObject({ status: 302 })
    await expect(outbound.getJson(url)).rejects.toThrow('answered with status 302')
    expect(target.requests).toHaveLength(0)
  })

  it('and takes its credentials to their own origin alone', async () => {
    const first = await serve((_request, response) => response.end('{}'))
    const second = await serve((_request, response) => response.end('{}'))
    const { outbound } = outboundTo([
      { url: first.url, name: 'first', authorization: () => 'Bearer one' },
      { url: second.url, name: 'second', authorization: async () => 'Bearer two' },
    ])
    await outbound.send({ url: first.url, headers: { authorization: 'Bearer stray' } })
    await outbound.send({ url: second.url })
    expect(first.requests[0]?.headers.authorization).toBe('Bearer one')
    expect(second.requests[0]?.headers.authorization).toBe('Bearer two')
  })
})

describe('a dependency that fails', () => {
  const failureOf = (sent: Promise<unknown>) => sent.then(() => undefined, faultOf)

  it('has been sent nothing where no connection was there, and may have been where one was', async () => {
    const nobody = 'http://127.0.0.1:1'
    const refused = await failureOf(outboundTo([nobody]).outbound.send({ url: nobody }))
    expect([refused?.code, refused && wasNeverConnected(refused)]).toEqual(['BAD_GATEWAY', true])
    const late = failedCall(new NeverConnected(new Error()), AbortSignal.abort(lateCall('store', 50)), 'store')
    expect([late.code, wasNeverConnected(late)]).toEqual(['GATEWAY_TIMEOUT', true])
    const silent = createTcpServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    open.push(silent)
    const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`
    const { outbound } = outboundTo([url])
    const unanswered = await failureOf(outbound.send({ url, deadlineMs: 200 }))
    expect([unanswered?.code, unanswered && wasNeverConnected(unanswered)]).toEqual(['GATEWAY_TIMEOUT', false])
    await outbound.close()
  })

  it('has said nothing to a call that never had one of its connections', async () => {
    const sockets: Socket[] = []
    const silent = createTcpServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    open.push(silent)
    const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`
    const { outbound } = outboundTo([url], { connectionsMax: 1 })
    const having = failureOf(outbound.send({ url, deadlineMs: 1_000 }))
    await waitFor(() => sockets.length === 1, { what: 'its connection' })
    const without = await failureOf(outbound.send({ url, deadlineMs: 50 }))
    expect([without?.code, without && neverHadTurn(without)]).toEqual(['GATEWAY_TIMEOUT', true])
    const had = await having
    expect([had?.code, had && neverHadTurn(had)]).toEqual(['GATEWAY_TIMEOUT', false])
    await outbound.close()
  })

  it('is named when it refuses', async () => {
    const { outbound, metrics } = outboundTo([{ url: 'http://127.0.0.1:1', name: 'consent service' }])
    await expect(outbound.send({ url: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'BAD_GATEWAY',
      shown: 'The consent service cannot be reached.',
      logged: 'ECONNREFUSED',
    })
    expect(await metrics.text()).toContain('outcome="BAD_GATEWAY"')
  })

  it.each([
    ['never answers', () => {}],
    ['never ends its answer', (_request, response) => response.writeHead(200).write('{"a":')],
  ] as const satisfies readonly (readonly [string, RequestListener])[])(
    'is given up at the deadline when it %s',
    async (_name, answer) => {
      const clock = new SimulatedClock()
      const { promise: asked, resolve } = Promise.withResolvers<void>()
      const { url } = await serve((request, response) => {
        answer(request, response)
        resolve()
      })
      const { outbound } = outboundTo([{ url, name: 'store' }], { clock, deadlineMs: 3_000 })
      const call = outbound.send({ url }).catch(faultOf)
      await asked
      await clock.advance(3_000)
      expect(await call).toMatchObject({
        kind: 'unavailable',
        code: 'GATEWAY_TIMEOUT',
        shown: 'The store did not answer within 3000 ms.',
      })
    },
  )

  it('is given up when it keeps us waiting for a token', async () => {
    const clock = new SimulatedClock()
    const origin = { url: 'http://127.0.0.1:1', name: 'store', authorization: () => new Promise<string>(() => {}) }
    const { outbound } = outboundTo([origin], { clock })
    const call = outbound.send({ url: origin.url }).catch(faultOf)
    await clock.advance(10_000)
    expect(await call).toMatchObject({ code: 'GATEWAY_TIMEOUT' })
  })

  it('is given up when whoever asked has gone', async () => {
    const gone = new AbortController()
    const { url } = await serve(() => gone.abort())
    const { outbound } = outboundTo([{ url, name: 'store' }])
    await expect(outbound.send({ url, signal: gone.signal })).rejects.toMatchObject({ code: 'CALL_GIVEN_UP' })
  })

  it('is asked nothing, not even for a token, when whoever asked had gone before', async () => {
    let tokens = 0
    const authorization = () => new Promise<string>(() => void tokens++)
    const { url, requests } = await serve((_request, response) => response.end('{}'))
    const { outbound } = outboundTo([{ url, name: 'store', authorization }], { clock: new SimulatedClock() })
    const call = outbound.send({ url, signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ code: 'CALL_GIVEN_UP' })
    expect([tokens, requests.length]).toEqual([0, 0])
  })

  it.each([
    ['announced', 1_000, { status: 200 }],
    ['announced', 1_001, { shown: 'The store gave a larger answer than is read.' }],
    ['streamed', 1_000, { status: 200 }],
    ['streamed', 1_001, { shown: 'The store gave a larger answer than is read.' }],
  ] as const)('is read up to the limit: its %s answer of %i bytes is %j', async (how, size, outcome) => {
    const { url } = await serve((_request, response) => {
      if (how === 'announced') response.setHeader('content-length', size)
      response.end('x'.repeat(size))
    })
    const { outbound } = outboundTo([{ url, name: 'store' }])
    expect(await outbound.send({ url }).catch(faultOf)).toMatchObject(outcome)
  })

  it.each([
    ['is larger than what is read', (response) => response.end('x'.repeat(70_000))],
    [
      'announces more than what is read',
      (response) => response.writeHead(200, { 'content-length': 70_000 }).flushHeaders(),
    ],
    [
      'breaks off',
      (response) => response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy()),
    ],
    ['never ends', (response) => response.writeHead(200).write('x')],
  ] as const satisfies readonly (readonly [string, (response: ServerResponse) => unknown])[])(
    'has answered where only its status is wanted, also with an answer that %s',
    async (_name, answer) => {
      const { url, sockets } = await serve((_request, response) => answer(response))
      const { outbound } = outboundTo([{ url, name: 'store' }], { deadlineMs: 1_000 })
      const request = { method: 'PUT', url, body: '{}' } as const
      expect((await outbound.send(request).catch(faultOf)) instanceof Fault).toBe(true)
      expect(await outbound.send({ ...request, isStatusEnough: true })).toMatchObject({
        status: 200,
        body: new Uint8Array(),
      })
      // Half an answer on a kept connection would be taken for the beginning of the next one.
      await waitFor(() => [...sockets].every(({ destroyed }) => destroyed), { what: 'the connections to be closed' })
    },
  )

  it.each(['no JSON', '{"a":1', '{"__proto__":{}}', ''])(
    'is named when it answers %j instead of JSON',
    async (text) => {
      const { url } = await serve((_request, response) => response.end(text))
      const { outbound } = outboundTo([{ url, name: 'store' }])
      await expect(outbound.getJson(url)).rejects.toThrow('The store gave an answer that cannot be read.')
    },
  )

  it.each([
    ['in the middle', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab'],
    ['without a word', ''],
  ])('is named when it hangs up %s', async (_, said) => {
    const server = createTcpServer((socket) => {
      socket.once('data', () => socket.end(said))
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push(server)
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
    const { outbound } = outboundTo([{ url, name: 'store' }])
    await expect(outbound.send({ url })).rejects.toMatchObject({
      code: 'BAD_GATEWAY',
      shown: 'The store closed the connection before it answered.',
    })
  })
})
