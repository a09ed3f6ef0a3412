import { request as httpRequest, type Agent, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Fault } from '../../faults/fault.ts'

interface ExchangeRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  readonly agent: Agent
  readonly signal: AbortSignal
  readonly bytesMax: number
  /** What follows status and headers is of no use: that it could not be read wholly takes nothing away from them. */
  readonly isStatusEnough?: boolean
}

interface Exchanged {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** Thrown as soon as an answer is larger than allowed; the rest of it is never read. */
export class AnswerTooLarge extends Error {}

/** Nobody took the connection: nothing of the request has left. */
export class NeverConnected extends Error {
  readonly code: string | undefined

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause })
    this.code = cause.code
  }
}

/** It was given up while it waited for one of the connections that are kept: nothing has left, and that says nothing of who is at their end. */
export class NeverHadTurn extends Error {}

/**
 * One request and its whole answer. On `node:http` and not on `fetch`, whose connections belong to the process and not
 * to us; it follows no redirects and unpacks nothing.
 */
export async function exchange(options: ExchangeRequest): Promise<Exchanged> {
  for (;;) {
    const exchanged = await exchangeOnce(options)
    // Each of these gives up a connection that was kept, so a new one is reached after as many as there are.
    if (exchanged !== 'connection was over') return exchanged
  }
}

/**
 * A server may end a kept connection at the moment when we use it again: a restart, or its limit of idle time. What only
 * reads is then asked on another one. Anything else may have been done, which only whoever sent it can find out.
 */
function exchangeOnce(options: ExchangeRequest): Promise<Exchanged | 'connection was over'> {
  const { method, url, body, agent, signal, isStatusEnough = false } = options
  const headers =
    body === undefined ? options.headers : { ...options.headers, 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = send(url, { method, headers, agent, signal })
    let isAnswered = false
    let [hasSocket, isConnecting] = [false, false]
    request.once('socket', (socket) => {
      hasSocket = true
      isConnecting = socket.connecting
      if (isConnecting) socket.once('connect', () => (isConnecting = false))
    })
    request.once('error', (error: NodeJS.ErrnoException) => {
      if (isAnswered && isStatusEnough) return
      const isOver = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      if (isOver && !isAnswered && (method === 'GET' || method === 'HEAD')) resolve('connection was over')
      // An address that we do not call ourselves is nobody's being away.
      else if (error instanceof Fault) reject(error)
      else if (!hasSocket && signal.aborted) reject(new NeverHadTurn(error.message, { cause: error }))
      else reject(isConnecting ? new NeverConnected(error) : error)
    })
    request.once('response', (response) => {
      isAnswered = true
      const answer = (read: Uint8Array) =>
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: read })
      readBounded(response, options.bytesMax).then(answer, (error: unknown) => {
        // Also ends the connection: it must not be used again with half an answer on it.
        request.destroy()
        if (isStatusEnough) answer(new Uint8Array())
        else reject(error)
      })
    })
    request.end(body)
  })
}

async function readBounded(response: IncomingMessage, bytesMax: number): Promise<Uint8Array> {
  if (Number(response.headers['content-length'] ?? 0) > bytesMax) throw new AnswerTooLarge()
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.byteLength
    if (size > bytesMax) throw new AnswerTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function headersOf(response: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  return headers
}
