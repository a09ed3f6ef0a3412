import { once } from 'node:events'
import { Agent, createServer as createHttpServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { systemClock } from '../../../packages/clock/clock.ts'
import { pause } from '../../../packages/clock/pause.ts'

/**
 * What stands before several copies: each connection goes to the next copy that accepts it, and stays with it. As a
 * layer 4 balancer does, it knows nothing of what the bytes mean.
 */
export async function tcpRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer((client) => void carry(client))

  async function carry(client: Socket): Promise<void> {
    sockets.add(client.on('error', () => {}).on('close', () => sockets.delete(client)))
    for (const port of inTurn(ports, turn++)) {
      const copy = connect({ port, host: '127.0.0.1', noDelay: true })
      const isOpen = await new Promise<boolean>((resolve) =>
        copy.once('connect', () => resolve(true)).once('error', () => resolve(false)),
      )
      if (!isOpen) continue
      copy.on('error', () => {})
      // A copy that dies takes its connections along; the sender sees exactly that.
      copy.on('close', () => client.destroy())
      client.on('close', () => copy.destroy())
      client.pipe(copy)
      copy.pipe(client)
      return
    }
    client.destroy()
  }

  return listening(server, () => sockets.forEach((socket) => socket.destroy()))
}

/**
 * Each request goes to the next copy, whichever connection it came on. A copy that refuses a connection is left out
 * until it says that it is ready. A request that a copy took with it into its death is given to another only when it
 * could not have changed anything (as nginx does); else the client is told (502) and decides.
 */
export async function httpRoundRobin(ports: readonly number[]): Promise<RoundRobin> {
  const agent = new Agent({ keepAlive: true })
  const out = new Set<number>()
  const ended = new AbortController()
  let turn = 0

  const server = createHttpServer((incoming, answer) => void pass(incoming, answer))
  server.keepAliveTimeout = 60_000

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(() => undefined)
    if (body === undefined) return
    for (const port of inTurn(ports, turn++).filter((copy) => !out.has(copy))) {
      const outcome = await forward({ incoming, answer, body, port, agent })
      if (outcome === 'refused') void leaveOut(port)
      if (outcome === 'answered' || (outcome === 'died' && !isSafe(incoming))) break
    }
    if (!answer.headersSent) answer.writeHead(502).end()
    else if (!answer.writableEnded) answer.destroy()
  }

  async function leaveOut(port: number): Promise<void> {
    if (out.has(port)) return
    out.add(port)
    while (!ended.signal.aborted && !(await isReady(port))) await pause(systemClock, 50, ended.signal)
    out.delete(port)
  }

  return listening(server, () => {
    ended.abort()
    agent.destroy()
    server.closeAllConnections()
  })
}

interface RoundRobin extends AsyncDisposable {
  readonly port: number
}

interface Forwarded {
  readonly incoming: IncomingMessage
  readonly answer: ServerResponse
  readonly body: Buffer
  readonly port: number
  readonly agent: Agent
}

function forward({ incoming, answer, body, port, agent }: Forwarded): Promise<'answered' | 'refused' | 'died'> {
  const { method, url, headers, socket } = incoming
  return new Promise((resolve) => {
    const sent = request({
      ...{ host: '127.0.0.1', port, agent, method, path: url },
      headers: { ...headers, 'x-forwarded-for': socket.remoteAddress },
    })
    sent.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
      response.on('close', () => resolve('answered'))
    })
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : 'died'))
    answer.on('close', () => answer.writableFinished || sent.destroy())
    sent.end(body)
  })
}

const isSafe = ({ method = '' }: IncomingMessage) => method === 'GET' || method === 'HEAD'

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/actuator/health/readiness`).catch(() => undefined)
  return answer?.status === 200
}

/** All of them, beginning with the one whose turn it is. */
const inTurn = (ports: readonly number[], turn: number) => {
  const first = turn % ports.length
  return [...ports.slice(first), ...ports.slice(0, first)]
}

async function listening(server: Server, end: () => void): Promise<RoundRobin> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // Sound: it listens on a port, not on a path.
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      end()
      await closed
    },
  }
}
