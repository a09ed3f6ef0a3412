import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { systemClock } from '../../../../packages/clock/clock.ts'
import { systemIds } from '../../../../packages/clock/ids.ts'
import {
  acknowledge,
  frame,
  Framer,
  parseMessage,
  startMllpServer,
  type AckCode,
  type Message,
  type ServerTls,
} from '../../../../packages/hl7/index.ts'
import { silentLog } from '../../../../packages/log/log.ts'

interface MllpReceiver extends AsyncDisposable {
  readonly endpoint: string
  readonly received: Message[]
  /** Connections that it has taken since it was started. */
  readonly connections: () => number
  /** Those of them that are not closed. */
  readonly openConnections: () => number
}

/** Somebody else's HL7 receiver, which answers as it is told, or is silent. */
export async function mllpReceiver(
  answer: (message: Message, count: number) => AckCode | undefined,
  tls?: ServerTls,
  port = 0,
): Promise<MllpReceiver> {
  const deps = { clock: systemClock, ids: systemIds, log: silentLog }
  const received: Message[] = []
  const server = await startMllpServer(
    {
      ...{ port, ...(tls === undefined ? {} : { tls }) },
      onMessage: async (bytes) => {
        const message = parseMessage(bytes)
        received.push(message)
        const code = answer(message, received.length)
        return code && acknowledge(message, { code }, deps).bytes
      },
    },
    deps,
  )
  return {
    endpoint: `${tls === undefined ? 'mllp' : 'mllps'}://127.0.0.1:${server.port}`,
    received,
    connections: () => server.counters.connectionsAccepted,
    openConnections: () => server.counters.connectionsOpen,
    [Symbol.asyncDispose]: () => server.close({ graceMs: 1_000 }),
  }
}

/** One that closes each connection after its first message, most often with an answer. */
export async function closingReceiver(answers: (message: Message) => boolean) {
  const received: Message[] = []
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    const framer = new Framer()
    sockets.add(socket.on('error', () => {}))
    socket.on('data', (chunk: Buffer) => {
      for (const event of framer.push(chunk)) {
        if (event.kind !== 'frame' || socket.writableEnded) continue
        const message = parseMessage(event.bytes)
        received.push(message)
        const answer = acknowledge(message, { code: 'AA' }, { clock: systemClock, ids: systemIds })
        if (answers(message)) socket.end(frame(answer.bytes))
        else socket.end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    // Sound: it listens on a TCP port.
    endpoint: `mllp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface HttpReceiver extends AsyncDisposable {
  readonly endpoint: string
  readonly received: ReceivedRequest[]
}

interface ReceiverAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Somebody else's HTTP receiver, which answers as it is told; most often with a status alone. */
export async function httpReceiver(
  answer: (request: ReceivedRequest) => number | ReceiverAnswer,
  port = 0,
): Promise<HttpReceiver> {
  const received: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const taken = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
      received.push(taken)
      const said = answer(taken)
      const { status, headers: own = {}, body = '' } = typeof said === 'number' ? { status: said } : said
      response.writeHead(status, own).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    // Sound: it listens on a TCP port.
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
