import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { nothing, streamed } from '../content.ts'
import { route } from '../route.ts'
import { gate } from '../testing/test-gate.ts'
import { testServer } from '../testing/test-server.ts'
import { TestSocket } from '../testing/test-socket.ts'
import { anyone } from '../who.ts'

const quick = route({
  method: 'GET',
  path: '/quick',
  who: anyone,
  summary: 'At once',
  output: { 204: nothing },
  run: () => undefined,
})
const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

describe('a stop', () => {
  it('answers what is in work, closes what is idle and does not wait for the keep-alive time', async () => {
    const { slow, open, isFull } = gate(20)
    const server = await testServer([slow, quick], { limits: { keepAliveTimeoutMs: 3_600_000 } })
    const busy = await Promise.all(Array.from({ length: 20 }, () => TestSocket.open(server.url)))
    for (const socket of busy) socket.write(ask('/slow'))
    using silent = await TestSocket.open(server.url)
    using idle = await TestSocket.open(server.url)
    idle.write(ask('/quick'))
    await idle.until('\r\n\r\n')
    await isFull

    const closed = server.close(60_000)
    await Promise.all([silent.closed, idle.closed])
    await expect(TestSocket.open(server.url)).rejects.toThrow('ECONNREFUSED')
    expect(busy.every((socket) => socket.heard === '')).toBe(true)
    open()
    await closed
    await Promise.all(busy.map((socket) => socket.closed))
    for (const { heard } of busy) {
      expect(heard).toMatch(/^HTTP\/1.1 200 OK/)
      expect(heard.toLowerCase()).toContain('connection: close')
      expect(heard).toMatch(/done$/)
    }
  })

  it('does not wait for events, which have no end', async () => {
    const events = route({
      method: 'GET',
      path: '/events',
      who: anyone,
      summary: 'Goes on and on',
      output: { 200: streamed('text/event-stream') },
      run: () => {
        const stream = new Readable({ read() {} })
        stream.push(': here\n\n')
        return stream
      },
    })
    const server = await testServer([events], { clock: new SimulatedClock() })
    using socket = await TestSocket.open(server.url)
    socket.write(ask('/events'))
    await socket.until(': here')
    await server.close(60_000)
    await socket.closed
    expect(server.logLines.join('')).not.toContain('cut off')
  })

  it('cuts off what is not done at the deadline', async () => {
    const clock = new SimulatedClock()
    const { slow, open, isFull } = gate(1)
    const server = await testServer([slow], { clock })
    using socket = await TestSocket.open(server.url)
    socket.write(ask('/slow'))
    await isFull
    const closed = server.close(5_000)
    await clock.advance(5_000)
    await closed
    await socket.closed
    expect(socket.heard).toBe('')
    expect(server.logLines.join('')).toContain('requests cut off at the deadline')
    open()
  })

  it('tells a running request that its caller has gone', async () => {
    const { promise: entered, resolve: enter } = Promise.withResolvers<void>()
    const { promise: gone, resolve } = Promise.withResolvers<unknown>()
    const watching = route({
      method: 'GET',
      path: '/watching',
      who: anyone,
      summary: 'Watches its caller',
      output: { 204: nothing },
      run: async ({ request }) => {
        enter()
        await new Promise<void>((done) => request.signal.addEventListener('abort', () => done()))
        resolve(request.signal.reason)
      },
    })
    await using server = await testServer([watching])
    const socket = await TestSocket.open(server.url)
    socket.write(ask('/watching'))
    await entered
    socket[Symbol.dispose]()
    expect(await gone).toMatchObject({ name: 'AbortError' })
  })
})
