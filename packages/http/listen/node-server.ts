import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer, type ServerOptions } from 'node:https'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock/clock.ts'
import { answerClientError } from './client-error.ts'
import type { Connections } from './connections.ts'
import type { HttpLimits } from './limits.ts'

/** One listening socket's worth of server, with its limits. Several share one routing. */
export function makeNodeServer(
  app: FastifyInstance,
  options: {
    limits: HttpLimits
    tls: ServerOptions | undefined
    connections: Connections
    clock: Clock
  },
): Server {
  const { limits, tls, connections, clock } = options
  const settings = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    // Node looks for connections past their time only so often; its own 30 s would make a 10 s limit 40 s.
    connectionsCheckingInterval: Math.max(50, Math.min(1_000, limits.headersTimeoutMs / 4)),
  }
  const server = tls === undefined ? createHttpServer(settings) : createHttpsServer({ ...settings, ...tls })
  server.maxConnections = limits.connectionsMax
  server.timeout = limits.answerTimeoutMs
  connections.watch(server, limits)
  server.on('request', (request, response) => app.routing(request, response))
  // Node would invite the body at once; the routing does so when the caller is known.
  server.on('checkContinue', (request, response) => app.routing(request, response))
  server.on('clientError', (error, socket) => answerClientError(error, socket, connections, clock.now()))
  return server
}
