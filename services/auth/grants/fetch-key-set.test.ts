import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { capturedLog } from '../../../packages/testkit/captured-log.ts'
import { makeCertificate, type Certificate } from '../../../packages/testkit/certificate.ts'
import { isPrivate, keySetFetcher } from './fetch-key-set.ts'

const fetcher = (allowsLoopback: boolean, log = silentLog) => keySetFetcher({ clock: systemClock, log, allowsLoopback })
const fetcherBy = (place: string, log = silentLog) =>
  keySetFetcher({ clock: systemClock, log, allowsLoopback: false, nameServers: [place] })

/** A server of names: it gives every one this address, or is silent. */
async function nameServer(address?: string) {
  const socket = createSocket('udp4')
  let questions = 0
  socket.on('message', (question, { port }) => {
    questions++
    if (address === undefined) return
    const isForIpv4 = question.readUInt16BE(question.indexOf(0, 12) + 1) === 1
    const answer = Buffer.concat([
      question.subarray(0, 2),
      // An answer without error to one question, with one address or none.
      Buffer.from([0x81, 0x80, 0, 1, 0, isForIpv4 ? 1 : 0, 0, 0, 0, 0]),
      question.subarray(12, question.indexOf(0, 12) + 5),
      ...(isForIpv4 ? [Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])] : []),
    ])
    socket.send(answer, port, '127.0.0.1')
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    place: `127.0.0.1:${socket.address().port}`,
    questions: () => questions,
    [Symbol.dispose]: () => void socket.close(),
  }
}

/** A log whose events can be looked at. */
function kept() {
  const captured = capturedLog()
  return { log: captured.log, events: () => captured.events('a key set of a client could not be fetched') }
}

async function serve(answer: RequestListener, certificate?: Certificate) {
  let hits = 0
  const listener: RequestListener = (request, response) => {
    hits++
    answer(request, response)
  }
  const server = certificate === undefined ? createServer(listener) : createTlsServer(certificate, listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}/jwks`,
    hits: () => hits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe("fetching a client's key set", () => {
  it.each([
    'http://app.example/jwks',
    'https://127.0.0.1/jwks',
    'https://2130706433/jwks',
    'https://0x7f.1/jwks',
    'https://[::1]/jwks',
    'https://[::ffff:127.0.0.1]/jwks',
    'https://169.254.169.254/latest/meta-data',
    'https://10.1.2.3/jwks',
    'https://localhost/jwks',
    'file:///etc/passwd',
  ])('A10: never goes to %s', async (url) => {
    await expect(fetcher(false)(url, 'lab')).rejects.toMatchObject({ kind: 'unauthenticated', code: 'invalid_client' })
  })

  it('A10: takes this machine only where development says so', async () => {
    await using server = await serve((_request, response) => response.end('{"keys":[]}'))
    await expect(fetcher(false)(server.url, 'lab')).rejects.toThrow('cannot be fetched')
    expect(server.hits()).toBe(0)
    expect(await fetcher(true)(server.url, 'lab')).toEqual({ document: { keys: [] }, maxAgeSeconds: 300 })
  })

  it('A10: follows no redirect', async () => {
    await using inside = await serve((_request, response) => response.end('{"keys":[]}'))
    await using server = await serve((_request, response) => response.writeHead(302, { location: inside.url }).end())
    await expect(fetcher(true)(server.url, 'lab')).rejects.toThrow('cannot be fetched')
    expect(inside.hits()).toBe(0)
  })

  it.each([
    ['is huge', 'x'.repeat(70_000)],
    ['is no JSON', '<html>'],
  ])('A10: refuses an answer that %s', async (_what, body) => {
    await using server = await serve((_request, response) => response.end(body))
    await expect(fetcher(true)(server.url, 'lab')).rejects.toThrow('cannot be fetched')
  })

  it.each<[string, RequestListener, string]>([
    ['is away', (_request, response) => response.writeHead(503).end(), 'the key set was answered with 503'],
    ['hangs up', (request) => request.socket.destroy(), 'ECONNRESET'],
    ['answers with something else', (_request, response) => response.end('<html>'), 'SyntaxError'],
    ['answers without end', (_request, response) => response.end('x'.repeat(70_000)), 'AnswerTooLarge'],
  ])('says in the log whose server %s, and how', async (_what, answer, error) => {
    await using server = await serve(answer)
    const { log, events } = kept()
    await expect(fetcher(true, log)(server.url, 'lab')).rejects.toThrow('cannot be fetched')
    const { host } = new URL(server.url)
    expect(events()).toEqual([expect.objectContaining({ level: 'warn', clientId: 'lab', host, error })])
  })

  it('says in the log that a name leads into a private network', async () => {
    using names = await nameServer('10.1.2.3')
    const { log, events } = kept()
    const fetching = fetcherBy(names.place, log)('https://keys.lab.example/jwks', 'lab')
    await expect(fetching).rejects.toThrow('cannot be fetched')
    expect(events()).toEqual([expect.objectContaining({ error: 'a key set must not lie in a private network' })])
  })

  it("A10: keeps nobody from finding other names while the server of a client's name is silent", async () => {
    using names = await nameServer()
    const fetch = fetcherBy(names.place)
    const hanging = ['a', 'b', 'c', 'd', 'e'].map((name) => fetch(`https://${name}.lab.example/jwks`, 'lab'))
    const ended = Promise.allSettled(hanging)
    await expect.poll(names.questions).toBeGreaterThanOrEqual(hanging.length)
    const first = await Promise.race([ended, lookup('localhost').then(() => 'found')])
    expect(first).toBe('found')
  })

  it('speaks TLS with this machine where the address says so', async () => {
    const certificate = await makeCertificate({ name: 'localhost' })
    await using server = await serve((_request, response) => response.end('{"keys":[]}'), certificate)
    const before = getCACertificates()
    setDefaultCACertificates([...before, certificate.cert])
    try {
      expect((await fetcher(true)(server.url, 'lab')).document).toEqual({ keys: [] })
    } finally {
      setDefaultCACertificates(before)
    }
  })

  it.each([
    ['max-age=60', 60],
    ['max-age=999999', 3_600],
    ['no-store', 0],
    ['public', 300],
  ])('C64: keeps it no longer than %s lets it', async (cacheControl, seconds) => {
    await using server = await serve((_request, response) =>
      response.writeHead(200, { 'cache-control': cacheControl }).end('{"keys":[]}'),
    )
    expect((await fetcher(true)(server.url, 'lab')).maxAgeSeconds).toBe(seconds)
  })

  it.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['2002:7f00:1::1', true],
    ['2001:0:7f00:1::1', true],
    ['64:ff9b:1::a00:1', true],
    ['2001:db8::1', true],
    ['fec0::1', true],
    ['2001:4860:4860::8888', false],
    ['::ffff:10.0.0.1', true],
    ['172.31.255.255', true],
    ['fd00::1', true],
    ['fe80::1', true],
    ['0.0.0.0', true],
    ['172.32.0.1', false],
    ['8.8.8.8', false],
    ['2606:4700::1111', false],
  ])('A10: knows whether %s is private: %s', (address, expected) => {
    expect(isPrivate(address)).toBe(expected)
  })
})
