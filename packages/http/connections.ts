import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import type { Socket } from 'node:net'

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

  /** How many connections are open. */
  get count(): number {
    return this.#answers.size
  }

  watch(server: Server): void {
    // Under TLS the request's socket is the inner one. One that never finishes its handshake has its own time limit.
    server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
      this.#answers.set(socket, new Set())
      socket.once('close', () => this.#answers.delete(socket))
      if (this.#isDraining) socket.destroySoon()
    })
    // In front of the routing, so that a request is known before it is answered.
    const onRequest = (request: IncomingMessage, response: ServerResponse) => this.#begin(request.socket, response)
    server.prependListener('request', onRequest)
    server.prependListener('checkContinue', onRequest)
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
