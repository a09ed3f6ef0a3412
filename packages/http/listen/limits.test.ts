import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nothing, plainText } from '../content.ts'
import { text } from '../fields.ts'
import { route } from '../route.ts'
import { gate } from '../testing/test-gate.ts'
import { testServer, type TestServer } from '../testing/test-server.ts'
import { TestSocket } from '../testing/test-socket.ts'
import { anyone } from '../who.ts'

const take = (path: string, bodyBytesMax?: number) =>
  route({
    method: 'POST',
    path,
    who: anyone,
    summary: 'Takes a text',
    input: { body: Type.Object({ text: text() }) },
    output: { 204: nothing },
    ...(bodyBytesMax === undefined ? {} : { limits: { bodyBytesMax } }),
    run: () => undefined,
  })
const open = route({
  method: 'GET',
  path: '/open/*',
  who: anyone,
  summary: 'Open',
  input: { params: { '*': text() } },
  output: { 204: nothing },
  run: () => undefined,
})
const longBytes = 20_000_000
const long = route({
  method: 'GET',
  path: '/long',
  who: anyone,
  summary: 'More than a connection holds by itself',
  output: { 200: plainText() },
  run: () => 'x'.repeat(longBytes),
})
const routes = [take('/plain'), take('/small', 100), open, long]

const bodyOf = (bytes: number) => `{"text":"${'x'.repeat(bytes - 11)}"}`

async function post(url: string, body: string, chunked = false): Promise<Response> {
  const sent = chunked ? new Blob([body]).stream() : body
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: sent,
    ...(chunked ? { duplex: 'half' } : {}),
  })
}

describe('the size of a body', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer(routes, { limits: { bodyBytesMax: 200 } })
  })
  afterAll(() => server.close())

  it.each([
    ['/plain', 200, false, 204],
    ['/plain', 201, false, 413],
    ['/plain', 200, true, 204],
    ['/plain', 201, true, 413],
    ['/small', 100, false, 204],
    ['/small', 101, false, 413],
  ])('%s of %i bytes (chunked: %s) is answered %i', async (path, bytes, chunked, status) => {
    const answer = await post(server.url + path, bodyOf(bytes), chunked)
    expect(answer.status).toBe(status)
    const refusal = `BODY_TOO_LARGE: The body is larger than the ${bytes - 1} bytes that are taken here.`
    const { code, detail } = status === 413 ? ((await answer.json()) as Record<string, string>) : {}
    expect(`${code}: ${detail}`).toBe(status === 413 ? refusal : 'undefined: undefined')
  })
})

describe('the size of what comes before it', () => {
  it.each([
    [100, 204],
    [101, 414],
  ])('an address of %i signs is answered %i', async (length, status) => {
    await using server = await testServer(routes, { limits: { urlBytesMax: 100 } })
    const answer = await fetch(`${server.url}/open/${'x'.repeat(length - '/open/'.length)}`)
    expect(answer.status).toBe(status)
  })

  it('headers beyond the limit are answered 431 and the connection closed', async () => {
    await using server = await testServer(routes, { limits: { headerBytesMax: 2_000 } })
    const within = await fetch(`${server.url}/open/x`, { headers: { 'x-long': 'x'.repeat(1_500) } })
    expect(within.status).toBe(204)
    using socket = await TestSocket.open(server.url)
    socket.write(`GET /open/x HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(2_000)}\r\n\r\n`)
    const heard = await socket.until('}')
    expect(heard).toMatch(/^HTTP\/1.1 431 /)
    expect(heard).toContain('application/problem+json')
    await socket.closed
  })
})

describe('the time a request takes', () => {
  it.each([
    ['headers that never end', 'GET /open/x HTTP/1.1\r\nHost: x\r\n'],
    [
      'a body that never comes',
      'POST /plain HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{',
    ],
  ])('%s are answered 408', async (_name, bytes) => {
    await using server = await testServer(routes, { limits: { headersTimeoutMs: 100, requestTimeoutMs: 100 } })
    using socket = await TestSocket.open(server.url)
    socket.write(bytes)
    expect(await socket.until('}')).toMatch(/^HTTP\/1.1 408 /)
    await socket.closed
  })

  it('an idle connection is closed after the keep-alive time', async () => {
    await using server = await testServer(routes, { limits: { keepAliveTimeoutMs: 50 } })
    using socket = await TestSocket.open(server.url)
    socket.write('GET /open/x HTTP/1.1\r\nHost: x\r\n\r\n')
    await socket.closed
    expect(socket.heard).toMatch(/^HTTP\/1.1 204 /)
  })
})

describe('an answer that nobody reads', () => {
  /** A connection that says nothing is closed after that time as well. */
  const timeOver = async ({ url }: TestServer) => {
    using silent = await TestSocket.open(url)
    await silent.closed
  }

  it('is held for its time, and its connection closed', async () => {
    await using server = await testServer(routes, { limits: { answerTimeoutMs: 200 } })
    using socket = await TestSocket.open(server.url)
    socket.pause()
    socket.write('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
    // A system that takes some bytes after all counts as one that reads: the first look only remembers how many wait.
    for (const _look of [1, 2, 3, 4]) await timeOver(server)
    socket.resume()
    await socket.closed
    expect(socket.heard.length).toBeLessThan(longBytes)
  })

  it('is not one that takes its time to be made', async () => {
    const { slow, open: answer } = gate(1)
    await using server = await testServer([slow], { limits: { answerTimeoutMs: 50 } })
    using socket = await TestSocket.open(server.url)
    socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await timeOver(server)
    await timeOver(server)
    answer()
    expect(await socket.until('\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('the number of requests that wait on one connection', () => {
  const asked = (count: number) =>
    [
      'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /open/x HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count - 2),
      'GET /open/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    ].join('')

  it('at its limit is answered', async () => {
    const { slow, open: answer, isFull } = gate(1)
    await using server = await testServer([...routes, slow], { limits: { unansweredMax: 2 } })
    using socket = await TestSocket.open(server.url)
    socket.write(asked(2))
    await isFull
    answer()
    await socket.closed
    expect(socket.heard.match(/HTTP\/1.1 20[04] /g)).toEqual(['HTTP/1.1 200 ', 'HTTP/1.1 204 '])
  })

  it('beyond it ends the connection', async () => {
    const { slow } = gate(1)
    await using server = await testServer([...routes, slow], { limits: { unansweredMax: 2 } })
    using socket = await TestSocket.open(server.url)
    socket.write(asked(3))
    await socket.closed
    expect(socket.heard).toBe('')
  })
})

describe('the number of connections', () => {
  it('beyond the limit the newest is closed, and those that are there go on', async () => {
    await using server = await testServer(routes, { limits: { connectionsMax: 2 } })
    const ask = async (socket: TestSocket) => {
      socket.write('GET /open/x HTTP/1.1\r\nHost: x\r\n\r\n')
      return socket.until('\r\n\r\n')
    }
    using first = await TestSocket.open(server.url)
    using second = await TestSocket.open(server.url)
    expect(await ask(first)).toContain('204')
    expect(await ask(second)).toContain('204')
    using third = await TestSocket.open(server.url)
    await third.closed
    expect(third.heard).toBe('')
    expect(await ask(first)).toContain('204')
  })
})

describe('what is no HTTP', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer(routes)
  })
  afterAll(() => server.close())

  it.each([
    'HELO example\r\n\r\n',
    'GET /open/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /plain HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'GET /open/x HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n',
    'GET /open/x HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n',
  ])('%j is answered 400 and the connection closed', async (bytes) => {
    using socket = await TestSocket.open(server.url)
    socket.write(bytes)
    await socket.closed
    expect(socket.heard).toMatch(/^HTTP\/1.1 400 /)
  })
})
