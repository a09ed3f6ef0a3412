import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import type { Socket } from 'node:net'
import type { HttpLimits } from './limits.ts'

/**
 * Knows every connection of a server and which answers are in work on it, so that a stop closes the idle ones at once
 * and the busy ones after their answer. Node's own notion of idle leaves out connections that never sent a request,
 * and its close() waits for the keep-alive time of a connection that becomes idle afterwards.
 */
export class Connections {
  readonly #answers = new Map<Socket, Set<ServerResponse>>()
  #isDraining = false

  get isDraining(): boolean {
    return this.#isDraining
  }

  watch(server: Server, { unansweredMax }: Pick<HttpLimits, 'unansweredMax'>): void {
    // Under TLS the request's socket is the inner one. One that never finishes its handshake has its own time limit.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#answers.set(socket, new Set())
      socket.once('close', () => this.#answers.delete(socket))
      if (this.#isDraining) socket.destroySoon()
    })
    // In front of the routing, so that a request is known before it is answered.
    const onRequest = ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#begin(socket, response)
      // Nobody who waits for answers sends so many at once, and all of them would be worked on at once.
      if (this.answersOn(socket).size > unansweredMax) socket.destroy()
    }
    server.prependListener('request', onRequest)
    server.prependListener('checkContinue', onRequest)
    // Nothing came and nothing left for a while. An answer that is still in work has its time; one that waits to be
    // read holds its memory for as long as the connection.
    server.on('timeout', (socket: Socket) => {
      if (this.answersOn(socket).size === 0 || socket.writableLength > 0) socket.destroy()
    })
  }

  /** The answers that are in work on a connection. */
  answersOn(socket: Socket): ReadonlySet<ServerResponse> {
    return this.#answers.get(socket) ?? new Set()
  }

  /** Closes what is idle now, and every other connection when its last answer is out. Events have no last one. */
  drain(): void {
    this.#isDraining = true
    for (const [socket, answers] of this.#answers) if ([...answers].every(isEndless)) socket.destroySoon()
  }

  /** Closes everything. Returns how many answers were cut off. */
  cut(): number {
    let unfinished = 0
    for (const [socket, answers] of this.#answers) {
      unfinished += answers.size
      socket.destroy()
    }
    return unfinished
  }

  #begin(socket: Socket, response: ServerResponse): void {
    const answers = this.#answers.get(socket)
    answers?.add(response)
    response.once('close', () => {
      answers?.delete(response)
      if (this.#isDraining && answers?.size === 0) socket.destroySoon()
    })
  }
}

const isEndless = (answer: ServerResponse): boolean => answer.getHeader('content-type') === 'text/event-stream'
