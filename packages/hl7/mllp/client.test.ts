import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../clock/clock.ts'
import { systemIds } from '../../clock/ids.ts'
import { SimulatedClock } from '../../clock/simulated-clock.ts'
import { silentLog } from '../../log/log.ts'
import { makeCertificate } from '../../testkit/certificate.ts'
import { waitFor } from '../../testkit/wait-for.ts'
import { acknowledge } from '../acknowledge.ts'
import { parseMessage } from '../parse.ts'
import { connectMllp } from './client.ts'
import { frame, Framer } from './framer.ts'
import { startMllpServer, type MllpServerOptions } from './server.ts'

const hl7 = (id: string) => Buffer.from(`MSH|^~\\&|APP|FAC|X|Y|20260304||ADT^A01|${id}|P|2.5.1\r`)
const deps = { clock: systemClock, ids: systemIds, log: silentLog }
const host = '127.0.0.1'
const controlIdOf = (answer: Buffer) => parseMessage(answer).get('MSA-2')
const answerTo = (message: Uint8Array) => acknowledge(parseMessage(message), { code: 'AA' }, deps).bytes

const answered = (code: string, controlId: string) =>
  Buffer.from(`MSH|^~\\&|X|Y|APP|FAC|20260304||ACK|7|P|2.5.1\rMSA|${code}|${controlId}\r`)

async function listen(options: Partial<MllpServerOptions> = {}) {
  const onMessage = async (bytes: Uint8Array) => answerTo(bytes)
  const server = await startMllpServer({ port: 0, onMessage, ...options }, deps)
  return Object.assign(server, { [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }) })
}

/** A receiver that answers as the test says. */
async function receiver(onMessage: (bytes: Buffer, socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const framer = new Framer()
    sockets.add(socket.on('error', () => {}))
    socket.on('data', (chunk: Buffer) => {
      for (const event of framer.push(chunk)) if (event.kind === 'frame') onMessage(event.bytes, socket)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  const dispose = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  // Sound: a server that listens on TCP has an address with a port.
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: dispose }
}

describe('a client', () => {
  it('sends in order, each message after the answer to the one before', async () => {
    await using server = await listen()
    const client = await connectMllp({ host, port: server.port }, deps)
    const ids = Array.from({ length: 20 }, (_, index) => String(index))
    const answers = await Promise.all(ids.map((id) => client.send(hl7(id))))
    expect(answers.map(controlIdOf)).toEqual(ids)
    await client.close()
    expect(client.isOpen).toBe(false)
    await expect(client.send(hl7('late'))).rejects.toMatchObject({ code: 'MLLP_LOST' })
  })

  it('does not wait for what may follow an answer in UTF-16', async () => {
    const text = `MSH|^~\\&|X|Y|APP|FAC|20260304||ACK|7|P|2.5.1\rMSA|AA|1`
    await using peer = await receiver((_bytes, socket) => socket.write(frame(Buffer.from(text, 'utf16le'))))
    const client = await connectMllp({ host, port: peer.port }, deps)
    expect(controlIdOf(await client.send(hl7('1')))).toBe('1')
    await client.close()
  })

  it('never takes the answer to another message for its own', async () => {
    await using peer = await receiver((bytes, socket) => {
      socket.write(frame(answerTo(hl7('older'))))
      socket.write(frame(answerTo(bytes)))
    })
    const client = await connectMllp({ host, port: peer.port }, deps)
    expect(controlIdOf(await client.send(hl7('1')))).toBe('1')
    expect(controlIdOf(await client.send(hl7('2')))).toBe('2')
    expect(client.counters.strayFrames).toBe(2)
    await client.close()
  })

  it('closes when no answer comes in time, so that a late one meets no other message', async () => {
    const clock = new SimulatedClock()
    let received = 0
    await using peer = await receiver(() => received++)
    const client = await connectMllp({ host, port: peer.port, answerTimeoutMs: 5_000 }, { clock })
    const sent = client.send(hl7('1')).catch((fault: unknown) => fault)
    await waitFor(() => received === 1, { what: 'the message' })
    await clock.advance(5_000)
    expect(await sent).toMatchObject({ kind: 'unavailable', code: 'GATEWAY_TIMEOUT' })
    expect(client.isOpen).toBe(false)
  })

  it('says when the receiver goes away', async () => {
    await using peer = await receiver((_bytes, socket) => socket.destroy())
    const client = await connectMllp({ host, port: peer.port }, deps)
    await expect(client.send(hl7('1'))).rejects.toMatchObject({ kind: 'unavailable', code: 'MLLP_LOST' })
  })

  it.each([
    ['the answer to another message', frame(answerTo(hl7('older'))), 'What it sent names another message in MSA-2.'],
    ['no acknowledgement', frame(hl7('own')), 'What it sent has no code of table 0008 in MSA-1.'],
    ['a code that nobody knows', frame(answered('XX', '1')), 'What it sent has no code of table 0008 in MSA-1.'],
    ['bytes outside of a frame', Buffer.from('OK\r\n'), 'It sent bytes that are no whole MLLP frame.'],
    ['half an answer', frame(answerTo(hl7('1'))).subarray(0, 30), 'It sent bytes that are no whole MLLP frame.'],
    ['nothing', Buffer.alloc(0), ''],
  ])('that got %s instead of an answer says so', async (_what, sent, remark) => {
    await using peer = await receiver((bytes, socket) => {
      socket.write(sent)
      if (bytes.includes('|last|')) socket.end()
    })
    const waiting = await connectMllp({ host, port: peer.port, answerTimeoutMs: 300 }, deps)
    await expect(waiting.send(hl7('1'))).rejects.toMatchObject({
      ...{ code: 'GATEWAY_TIMEOUT', shown: `The receiver did not answer in time. ${remark}`.trim() },
    })
    const left = await connectMllp({ host, port: peer.port }, deps)
    await expect(left.send(hl7('last'))).rejects.toMatchObject({
      ...{ code: 'MLLP_LOST', shown: `The receiver closed the connection before it answered. ${remark}`.trim() },
    })
  })

  it('says when there is no receiver', async () => {
    const server = await listen()
    const { port } = server
    await server.close()
    await expect(connectMllp({ host, port }, deps)).rejects.toMatchObject({ code: 'MLLP_CONNECT' })
  })

  it('stops reading an answer without end', async () => {
    await using peer = await receiver((_bytes, socket) => socket.write(`\u000b${'x'.repeat(2_000)}`))
    const client = await connectMllp({ host, port: peer.port, answerBytesMax: 1_000 }, deps)
    await expect(client.send(hl7('1'))).rejects.toMatchObject({ code: 'MLLP_ANSWER_TOO_LARGE' })
  })
})

describe('TLS', () => {
  it('protects both ways, and mutual TLS lets only known senders in', async () => {
    const authority = await makeCertificate({ name: 'authority' })
    const own = await makeCertificate({ name: 'localhost', issuer: authority })
    const sender = await makeCertificate({ name: 'ward-7', issuer: authority })
    const stranger = await makeCertificate({ name: 'stranger' })
    const names: (string | undefined)[] = []
    await using server = await listen({
      tls: { cert: own.cert, key: own.key, clientCa: authority.cert },
      onMessage: async (bytes, peer) => {
        names.push(peer.certificateName)
        return answerTo(bytes)
      },
    })
    const options = { host, port: server.port }
    const ca = authority.cert
    const client = await connectMllp({ ...options, tls: { ca, cert: sender.cert, key: sender.key } }, deps)
    expect(controlIdOf(await client.send(hl7('1')))).toBe('1')
    await client.close()
    expect(names).toEqual(['ward-7'])
    const refused = { kind: 'unavailable', shown: expect.stringContaining('TLS') }
    const tryToSend = async (tls: { ca?: string; cert?: string; key?: string }) =>
      (await connectMllp({ ...options, tls }, deps)).send(hl7('2'))
    await expect(tryToSend({ ca }), 'no certificate').rejects.toMatchObject(refused)
    await expect(tryToSend({ ca, cert: stranger.cert, key: stranger.key }), 'a stranger').rejects.toMatchObject(refused)
    await expect(tryToSend({ cert: sender.cert, key: sender.key }), 'unknown authority').rejects.toMatchObject(refused)
    await waitFor(() => server.counters.tlsFailures >= 2, { what: 'the refused handshakes to be counted' })
    await waitFor(() => server.counters.connectionsOpen === 0, { what: 'their places to be free' })
    expect(names).toEqual(['ward-7'])
  })

  it.each([
    ['localhost', 'localhost'],
    ['127.0.0.1', undefined],
  ])('says that it wants %s, unless that is an address', async (wanted, expected) => {
    const { cert, key } = await makeCertificate({ name: 'localhost' })
    const names: unknown[] = []
    const server = createTlsServer({ cert, key }, (socket) => names.push(socket.servername || undefined))
    server.listen(0, wanted)
    await once(server, 'listening')
    // Sound: it listens on a TCP port.
    const { port } = server.address() as AddressInfo
    const client = await connectMllp({ host: wanted, port, tls: { ca: cert } }, deps)
    await waitFor(() => names.length === 1, { what: 'the handshake to be seen' })
    await client.close()
    await new Promise((resolve) => server.close(resolve))
    expect(names).toEqual([expected])
  })

  it('refuses a plain sender', async () => {
    const own = await makeCertificate({ name: 'localhost' })
    await using server = await listen({ tls: { cert: own.cert, key: own.key } })
    const client = await connectMllp({ host, port: server.port }, deps)
    await expect(client.send(hl7('1'))).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
