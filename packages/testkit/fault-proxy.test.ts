import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  cutAfter,
  cutResponse,
  garbage,
  halfOpen,
  hang,
  loseResponse,
  pass,
  refuse,
  reset,
  slow,
  status,
} from './fault-modes.ts'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { waitFor } from './wait-for.ts'

let stack: AsyncDisposableStack
beforeEach(() => {
  stack = new AsyncDisposableStack()
})
afterEach(() => stack.disposeAsync())

/** A dependency that answers everything with the same text in upper case, and remembers what it got. */
async function startEcho() {
  const got: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      got.push(chunk.toString())
      socket.write(chunk.toString().toUpperCase())
    })
  })
  await listen(server)
  stack.defer(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const proxy = stack.use(await startFaultProxy({ port: portOf(server) }))
  return { proxy, got, sockets }
}

async function listen(server: Server) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

/** A client that keeps what it reads and how it ended. */
async function open(proxy: FaultProxy) {
  const socket = connect({ host: proxy.host, port: proxy.port })
  const client = { socket, read: '', end: undefined as string | undefined }
  socket.on('data', (chunk) => (client.read += chunk.toString()))
  socket.on('end', () => (client.end ??= 'ended'))
  socket.on('error', (error) => (client.end ??= 'code' in error ? String(error.code) : error.message))
  stack.defer(() => void socket.destroy())
  await once(socket, 'connect').catch(() => {})
  return client
}

type Client = Awaited<ReturnType<typeof open>>
const toRead = (client: Client, text: string) => waitFor(() => client.read === text, { what: `the text ${text}` })
const toEnd = (client: Client) => waitFor(() => client.end, { what: 'the connection to end' })

describe('the fault proxy', () => {
  it('lets everything pass, in both directions, and counts it', async () => {
    const { proxy } = await startEcho()
    const client = await open(proxy)
    client.socket.write('hello')
    await toRead(client, 'HELLO')
    expect(proxy.counts).toMatchObject({ accepted: 1, cut: 0, requestBytes: 5, answerBytes: 5 })
    expect(proxy.connections).toBe(1)
    client.socket.end()
    expect(await toEnd(client).catch(() => 'open')).toBe('ended')
    await waitFor(() => proxy.connections === 0, { what: 'the proxy to let go of the connection' })
  })

  it('refuses connections, cuts those it has, and comes back on the same port', async () => {
    const { proxy } = await startEcho()
    const { port } = proxy
    const before = await open(proxy)
    await proxy.set(refuse)
    expect(await toEnd(before)).toBe('ECONNRESET')
    expect(await toEnd(await open(proxy))).toBe('ECONNREFUSED')
    await proxy.set(pass)
    expect(proxy.port).toBe(port)
    const after = await open(proxy)
    after.socket.write('again')
    await toRead(after, 'AGAIN')
  })

  it('resets connections, open ones and new ones', async () => {
    const { proxy, got } = await startEcho()
    const before = await open(proxy)
    await proxy.set(reset)
    expect(await toEnd(before)).toBe('ECONNRESET')
    expect(await toEnd(await open(proxy))).toBe('ECONNRESET')
    expect(got).toEqual([])
  })

  it('hangs: takes what is sent, passes nothing on, and never answers, even after it is well again', async () => {
    const { proxy, got } = await startEcho()
    const open1 = await open(proxy)
    open1.socket.write('one')
    await toRead(open1, 'ONE')
    await proxy.set(hang)
    const open2 = await open(proxy)
    open1.socket.write('two')
    open2.socket.write('three')
    await waitFor(() => proxy.counts.lostBytes === 'twothree'.length, { what: 'the proxy to swallow both texts' })
    await proxy.set(pass)
    const fresh = await open(proxy)
    fresh.socket.write('four')
    await toRead(fresh, 'FOUR')
    expect(got).toEqual(['one', 'four'])
    expect([open1.read, open1.end, open2.read, open2.end]).toEqual(['ONE', undefined, '', undefined])
    open2.socket.destroy()
    await waitFor(() => proxy.connections === 2, { what: 'the given-up connection to be let go' })
  })

  it('is slow: everything arrives, piece by piece', async () => {
    const { proxy } = await startEcho()
    await proxy.set(slow({ delayMs: 5, bytesPerSecond: 400 }))
    const client = await open(proxy)
    const pieces: number[] = []
    client.socket.on('data', (chunk) => pieces.push(chunk.length))
    client.socket.write('x'.repeat(60))
    await toRead(client, 'X'.repeat(60))
    expect(pieces.length).toBeGreaterThan(1)
  })

  it('ends its slowness at once when it is switched', async () => {
    const { proxy } = await startEcho()
    await proxy.set(slow({ delayMs: 3_600_000 }))
    const client = await open(proxy)
    client.socket.write('an hour')
    await waitFor(() => proxy.connections === 1, { what: 'the connection to be accepted' })
    await proxy.set(pass)
    expect(await toRead(client, 'AN HOUR')).toBe(true)
  })

  it('is half open: the dependency sees the connection end, the client does not', async () => {
    const { proxy, sockets } = await startEcho()
    const client = await open(proxy)
    client.socket.write('hello')
    await toRead(client, 'HELLO')
    await proxy.set(halfOpen)
    await waitFor(() => sockets.size === 0, { what: 'the dependency to lose the connection' })
    client.socket.write('anybody?')
    await waitFor(() => proxy.counts.lostBytes === 'anybody?'.length, { what: 'the question to be lost' })
    await proxy.set(pass)
    expect([client.read, client.end, proxy.connections]).toEqual(['HELLO', undefined, 1])
  })

  it('cuts a connection after so many bytes of the answer', async () => {
    const { proxy, got } = await startEcho()
    await proxy.set(cutAfter(3))
    const client = await open(proxy)
    client.socket.write('hello')
    await toEnd(client)
    expect([client.read, got]).toEqual(['HEL', ['hello']])
  })

  it('cuts a connection after so many bytes of the request', async () => {
    const { proxy, got } = await startEcho()
    await proxy.set(cutAfter(2, 'request'))
    const client = await open(proxy)
    client.socket.write('hello')
    await toEnd(client)
    expect(client.read).toBe('')
    await waitFor(() => got.join('') === 'he', { what: 'the first bytes to arrive' })
  })

  it('cuts the connection in place of the answer, after the dependency got the whole request', async () => {
    const { proxy, got } = await startEcho()
    await proxy.set(cutResponse)
    const client = await open(proxy)
    client.socket.write('write this')
    expect(await toEnd(client)).toBe('ECONNRESET')
    expect([client.read, got]).toEqual(['', ['write this']])
  })

  it('loses the answer and leaves the client waiting, after the dependency got the whole request', async () => {
    const { proxy, got } = await startEcho()
    await proxy.set(loseResponse)
    const client = await open(proxy)
    client.socket.write('write this')
    await waitFor(() => proxy.counts.lostBytes === 'write this'.length, { what: 'the answer to be lost' })
    await proxy.set(pass)
    expect([client.read, client.end, got]).toEqual(['', undefined, ['write this']])
  })

  it('resets the client when the dependency itself is away', async () => {
    const proxy = stack.use(await startFaultProxy({ port: 1 }))
    expect(await toEnd(await open(proxy))).toBe('ECONNRESET')
  })

  it('lets a client that has said everything still read the answer', async () => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      let all = ''
      socket.on('data', (chunk) => (all += chunk.toString()))
      socket.on('end', () => socket.end(`got ${all}`))
    })
    await listen(server)
    stack.defer(() => void server.close())
    const client = await open(stack.use(await startFaultProxy({ port: portOf(server) })))
    client.socket.end('the last word')
    await toRead(client, 'got the last word')
    expect(await toEnd(client)).toBe('ended')
  })
})

describe('the fault proxy in front of an HTTP service', () => {
  async function startService() {
    const got: string[] = []
    const server = createHttpServer((request: IncomingMessage, response) => {
      got.push(`${request.method} ${request.url}`)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
    })
    await listen(server)
    stack.defer(() => {
      server.closeAllConnections()
      server.close()
    })
    return { got, proxy: stack.use(await startFaultProxy({ port: portOf(server) })) }
  }

  it('answers with the given status without asking the service, and recovers', async () => {
    const { got, proxy } = await startService()
    await proxy.set(status(503))
    const broken = await fetch(`${proxy.url}/a`, { method: 'POST', body: 'x'.repeat(100_000) })
    expect([broken.status, broken.headers.get('content-type')]).toEqual([503, 'application/problem+json'])
    expect([await broken.json(), got, proxy.counts.answered]).toEqual([{ title: 'broken on purpose' }, [], 1])
    await proxy.set(pass)
    expect(await (await fetch(`${proxy.url}/b`)).json()).toEqual({ ok: true })
    expect(got).toEqual(['GET /b'])
  })

  it('succeeds with a body that is no JSON', async () => {
    const { proxy } = await startService()
    await proxy.set(garbage)
    const answer = await fetch(proxy.url)
    expect(answer.ok).toBe(true)
    await expect(answer.json()).rejects.toThrow(SyntaxError)
  })

  it('does not let a kept connection slip past a new mode', async () => {
    const { got, proxy } = await startService()
    await (await fetch(proxy.url)).text()
    await proxy.set(status(500))
    await waitFor(() => proxy.connections === 0, { what: 'the kept connection to be cut' })
    expect((await waitFor(() => fetch(proxy.url), { what: 'an answer' })).status).toBe(500)
    expect(got).toHaveLength(1)
  })
})
