import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { bug } from '../faults/fault.ts'
import { answerHeaders } from './answer-headers.ts'
import { bindRoute, type BindDeps } from './bind-route.ts'
import type { Connections } from './listen/connections.ts'
import { sendError } from './error-answer.ts'
import { makeAjv } from './input.ts'
import { madeOnce } from './made-once.ts'
import { collectPairs } from './pairs.ts'
import type { ProxyTrust } from './proxy-trust.ts'
import { RequestState } from './request-state.ts'
import type { Route } from './route.ts'
import { takenAddresses } from './route-table.ts'
import { answerUnmatched, errorsNear } from './unmatched.ts'
import type { Observer } from './observe.ts'

interface AppDeps<Deps> extends BindDeps<Deps> {
  readonly connections: Connections
  readonly observe: Observer
  readonly proxies: ProxyTrust
}

/** One Fastify instance with all routes of a server, ready to be handed requests. It does not listen. */
export async function makeApp<Deps>(routes: readonly Route<Deps>[], deps: AppDeps<Deps>): Promise<FastifyInstance> {
  const { limits } = deps
  const { begin, stateOf } = carriedStates(deps)
  const finishHeaders = answerHeaders(deps)
  const app = fastify({
    logger: false,
    bodyLimit: limits.bodyBytesMax,
    return503OnClosing: false,
    routerOptions: {
      maxParamLength: limits.urlBytesMax,
      querystringParser: (query) => collectPairs(new URLSearchParams(query)),
    },
    frameworkErrors: (error, request, reply) => {
      const state = begin(request, reply, undefined)
      finishHeaders(state, request, reply)
      deps.observe(state, error.statusCode ?? 400)
      void sendError(error, state, reply, deps)
    },
  })
  app.decorateRequest(stateKey, null)
  serialiseLate(app)
  // Bodies arrive as bytes; each route reads them as what it accepts, after the caller is known.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler((error, request, reply) => sendError(error, stateOf(request, reply), reply, deps))
  // What waits for nothing says so by calling back: a promise for each hook of each request is not free.
  app.addHook('onSend', (request, reply, _payload, done) => {
    finishHeaders(stateOf(request, reply), request, reply)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    deps.observe(stateOf(request, reply), reply.statusCode)
    done()
  })
  app.addHook('preParsing', (request, reply, _payload, done) => {
    // Only now is the caller who asked "shall I send the body?" told to go on.
    if (request.headers.expect?.toLowerCase() === '100-continue') reply.raw.writeContinue()
    done()
  })
  const answerAsUnmatched = (request: FastifyRequest, reply: FastifyReply) => {
    const state = begin(request, reply, undefined)
    answerUnmatched(routes, state, request, reply, deps).catch((thrown: unknown) =>
      sendError(thrown, state, reply, { ...deps, errors: errorsNear(state.url, routes) ?? deps.errors }),
    )
  }
  // Here and not in a not-found handler: that one would come after the body.
  app.addHook('onRequest', (request, reply, done) => (request.is404 ? answerAsUnmatched(request, reply) : done()))

  const ajv = makeAjv()
  for (const route of routes) bindRoute(app, route, { ...deps, ajv, begin, stateOf })
  for (const { method, path } of takenAddresses(routes)) {
    app.route({ method, url: path, onRequest: answerAsUnmatched, handler: () => unreached() })
  }
  await app.ready()
  return app
}

/** On the request itself: a WeakMap of requests costs the garbage collector more than answering costs the server. */
function carriedStates<Deps>({ clock, ids, isSecure, proxies }: AppDeps<Deps>) {
  const begin = (request: CarryingRequest<Deps>, reply: FastifyReply, route: Route<Deps> | undefined) => {
    const state = new RequestState(request, reply, { route, isSecure, proxies, ids, startedMs: clock.monotonicMs() })
    request[stateKey] = state
    return state
  }
  const stateOf = (request: CarryingRequest<Deps>, reply: FastifyReply) =>
    request[stateKey] ?? begin(request, reply, undefined)
  return { begin, stateOf }
}

/** As Fastify does it, but with the first answer that needs it and not for every route at the start. */
function serialiseLate(app: FastifyInstance): void {
  const makeSerializer = SerializerSelector()({}, {})
  app.setSerializerCompiler(({ httpStatus = '', ...answer }) => {
    const serializer = madeOnce(() => makeSerializer({ httpStatus, ...answer }))
    return (data) => serializer()(data)
  })
}

const unreached = () => {
  throw bug('a request that was answered before its body went on')
}

const stateKey = Symbol('state')

/** Null until its answering begins. */
type CarryingRequest<Deps> = FastifyRequest & { [stateKey]?: RequestState<Deps> | null }
