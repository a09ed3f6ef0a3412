import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls'
import { array, assert, asyncProperty, nat } from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../clock/clock.ts'
import { systemIds } from '../clock/ids.ts'
import { makeCertificate } from './certificate.ts'
import { freePort } from './free-port.ts'
import { adtA01 } from './hl7-messages.ts'
import { openHl7Sender } from './hl7-sender.ts'
import { mllpFrame } from './mllp-answers.ts'

const deps = { ids: systemIds, clock: systemClock }
const ack = (controlId: string, code = 'AA', text = '') =>
  `MSH|^~\\&|A|B|C|D|||ACK|1|P|2.5\rMSA|${code}|${controlId}|${text}\r`
const controlIdOf = (frame: string) => frame.split('|')[9] ?? ''

const opened: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one[Symbol.asyncDispose]()
})

/** A listener that does with each frame what the test says. */
async function listen(onFrame: (frame: string, socket: Socket) => void, server: Server = createServer()) {
  const sockets = new Set<Socket>()
  const onConnection = (socket: Socket) => {
    sockets.add(socket)
    let rest = ''
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      const frames = (rest + chunk.toString('latin1')).split('\x1c\r')
      rest = frames.pop() ?? ''
      for (const frame of frames) onFrame(frame.slice(1), socket)
    })
  }
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', onConnection)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push({
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
  return { port: (server.address() as AddressInfo).port }
}

async function open(port: number) {
  const sender = await openHl7Sender({ host: '127.0.0.1', port })
  opened.push(sender)
  return sender
}

describe('the HL7 sender', () => {
  it('sends a frame and reads the acknowledgement', async () => {
    const { port } = await listen((frame, socket) => socket.write(mllpFrame(ack(controlIdOf(frame), 'AE', 'later'))))
    const sender = await open(port)
    const answer = await sender.send(adtA01({ controlId: 'M1' }, deps))
    expect(answer).toMatchObject({ ackCode: 'AE', controlId: 'M1', text: 'later', errors: [] })
    expect(answer.raw.toString()).toBe(ack('M1', 'AE', 'later'))
  })

  it('keeps the order of several messages in flight on one connection', async () => {
    const held: string[] = []
    const { port } = await listen((frame, socket) => {
      held.push(controlIdOf(frame))
      // Nothing is answered until all are there: they really are in flight together.
      if (held.length === 5) for (const controlId of held) socket.write(mllpFrame(ack(controlId)))
    })
    const sender = await open(port)
    const controlIds = ['A', 'B', 'C', 'D', 'E']
    const answers = await sender.sendMany(controlIds.map((controlId) => adtA01({ controlId }, deps)))
    expect(answers.map((answer) => answer.controlId)).toEqual(controlIds)
  })

  it('sends the same bytes wherever the writes are split', async () => {
    const frames: string[] = []
    const { port } = await listen((frame, socket) => {
      frames.push(frame)
      socket.write(mllpFrame(ack(controlIdOf(frame))))
    })
    const sender = await open(port)
    const message = adtA01({}, deps)
    await assert(
      asyncProperty(array(nat({ max: message.length + 3 }), { maxLength: 6 }), async (splitAt) => {
        await Promise.all([sender.send(message, { splitAt }), sender.send(message)])
        expect(frames.splice(0)).toEqual([message, message])
      }),
      { numRuns: 50 },
    )
  })

  it('sends raw bytes as they are', async () => {
    const { port } = await listen((frame, socket) => socket.write(mllpFrame(ack(frame))))
    const sender = await open(port)
    await sender.sendRaw(Buffer.from('noise\x1c\r'))
    expect((await sender.nextAnswer()).toString()).toBe(ack('oise'))
  })

  it('gives a late answer to the message it belongs to', async () => {
    const sockets: Socket[] = []
    const { port } = await listen((frame, socket) => {
      sockets.push(socket)
      if (sockets.length === 2)
        socket.write(Buffer.concat([mllpFrame(ack('LATE')), mllpFrame(ack(controlIdOf(frame)))]))
    })
    const sender = await open(port)
    await expect(sender.send(adtA01({ controlId: 'LATE' }, deps), { deadlineMs: 20 })).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'GATEWAY_TIMEOUT',
      message: 'No answer came in 20 ms',
    })
    expect((await sender.send(adtA01({ controlId: 'NEXT' }, deps))).controlId).toBe('NEXT')
  })

  it.each([
    ['bytes before the frame', 'x\x0bMSH', '1 bytes came outside a frame, the first is 0x78'],
    [
      'a frame that ends in FS LF',
      '\x0bMSH|^~\\&|\rMSA|AA|1\r\x1c\n',
      'The frame ends in FS and 0x0a instead of FS CR',
    ],
    ['an answer without MSA', '\x0bMSH|^~\\&|\r\x1c\r', 'The answer has no MSA segment'],
    ['an answer without MSH', '\x0bMSA|AA|1\r\x1c\r', 'The answer does not begin with a whole MSH'],
    [
      'a last segment without CR',
      '\x0bMSH|^~\\&|\rMSA|AA|1\x1c\r',
      'The last segment of the answer does not end in CR',
    ],
  ])('refuses %s', async (_, bytes, message) => {
    const { port } = await listen((_frame, socket) => socket.write(bytes))
    const sender = await open(port)
    await expect(sender.send(adtA01({}, deps))).rejects.toMatchObject({ kind: 'unprocessable', message })
  })

  it('fails every message in flight when the connection ends, and says how', async () => {
    const { port } = await listen((_, socket) => socket.end('\x0bMSH'))
    const sender = await open(port)
    const outcomes = await Promise.allSettled([sender.send(adtA01({}, deps)), sender.send(adtA01({}, deps))])
    const message = 'The connection ended: the other side closed the connection, 4 bytes into an answer'
    expect(outcomes).toMatchObject([{ reason: { message } }, { reason: { message } }])
    expect((await sender.waitForEnd()).message).toBe(message)
    await expect(sender.send(adtA01({}, deps))).rejects.toThrow(message)
  })

  it('keeps answers that nobody asked for', async () => {
    const { port } = await listen((frame, socket) => {
      const frames = [mllpFrame(ack(controlIdOf(frame))), mllpFrame(ack('SECOND'))]
      socket.write(Buffer.concat(frames))
    })
    const sender = await open(port)
    await sender.send(adtA01({}, deps))
    expect(sender.unasked.map(String)).toEqual([ack('SECOND')])
  })

  it('says that a connection is still open when its end was expected', async () => {
    const { port } = await listen(() => {})
    const sender = await open(port)
    await expect(sender.waitForEnd({ deadlineMs: 10 })).rejects.toThrow('The connection was still open after 10 ms')
  })

  it('says who could not be reached', async () => {
    const port = await freePort()
    await expect(openHl7Sender({ host: '127.0.0.1', port })).rejects.toThrow(
      `No connection to 127.0.0.1:${port}: connect ECONNREFUSED`,
    )
  })

  it('speaks TLS, and refuses a certificate it does not know', async () => {
    const certificate = await makeCertificate({ name: 'localhost' })
    const answer = (frame: string, socket: Socket) => socket.write(mllpFrame(ack(controlIdOf(frame))))
    const { port } = await listen(answer, createTlsServer({ cert: certificate.cert, key: certificate.key }))
    const trusting = await openHl7Sender({ host: '127.0.0.1', port, tls: { ca: certificate.cert } })
    opened.push(trusting)
    expect((await trusting.send(adtA01({}, deps))).ackCode).toBe('AA')
    await expect(openHl7Sender({ host: '127.0.0.1', port, tls: {} })).rejects.toThrow('self-signed certificate')
  })
})
