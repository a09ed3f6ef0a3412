import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { bug, incorrect, missing, type Fault } from '../faults/fault.ts'
import { authorise } from './authorise.ts'
import { bindRoute, type BindDeps, valuesOf } from './bind-route.ts'
import type { Connections } from './listen/connections.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { isOfApi, sendError } from './error-answer.ts'
import { makeAjv } from './input.ts'
import { madeOnce } from './made-once.ts'
import { collectPairs } from './pairs.ts'
import type { ProxyTrust } from './proxy-trust.ts'
import { RequestState } from './request-state.ts'
import type { Route } from './route.ts'
import { allowedMethods, routesAt, takenAddresses } from './route-table.ts'
import { securityHeaders } from './security-headers.ts'
import { hasBody } from './body.ts'
import type { Observer } from './observe.ts'

interface AppDeps<Deps> extends BindDeps<Deps> {
  readonly connections: Connections
  readonly observe: Observer
  readonly proxies: ProxyTrust
}

/** It stays 1 while what is below /api only grows. */
const apiVersion = '1'

/** One Fastify instance with all routes of a server, ready to be handed requests. It does not listen. */
export async function makeApp<Deps>(routes: readonly Route<Deps>[], deps: AppDeps<Deps>): Promise<FastifyInstance> {
  const { limits, clock, ids, isSecure, proxies, connections } = deps
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
  // As Fastify does it, but with the first answer that needs it and not for every route at the start.
  const makeSerializer = SerializerSelector()({}, {})
  app.setSerializerCompiler(({ httpStatus = '', ...answer }) => {
    const serializer = madeOnce(() => makeSerializer({ httpStatus, ...answer }))
    return (data) => serializer()(data)
  })
  // On the request itself: a WeakMap of requests costs the garbage collector more than answering costs the server.
  app.decorateRequest(stateKey, null)
  const begin = (request: CarryingRequest<Deps>, reply: FastifyReply, route: Route<Deps> | undefined) => {
    const state = new RequestState(request, reply, { route, isSecure, proxies, ids, startedMs: clock.monotonicMs() })
    request[stateKey] = state
    return state
  }
  const stateOf = (request: CarryingRequest<Deps>, reply: FastifyReply) =>
    request[stateKey] ?? begin(request, reply, undefined)
  const dataHeaders = securityHeaders({ isHtml: false, isSecure })
  const finishHeaders = (state: RequestState<Deps>, request: FastifyRequest, reply: FastifyReply) => {
    const isHtml = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    // Closed to every page but the one that says which it needs: a camera to scan with.
    const devices = reply.getHeader('permissions-policy')
    reply.headers(isHtml ? securityHeaders({ isHtml, isSecure, formTargets: state.formTargets }) : dataHeaders)
    if (devices !== undefined) reply.header('permissions-policy', devices)
    reply.header('x-request-id', state.id)
    if (isOfApi(request)) reply.header('x-api-version', apiVersion)
    const cache = reply.getHeader('cache-control') ?? 'no-store'
    reply.header('cache-control', cache)
    // RFC 6749 section 5.1 still asks for the old header beside the new one.
    if (cache === 'no-store') reply.header('pragma', 'no-cache')
    if (connections.isDraining || leavesBodyBehind(request, limits.bodyBytesMax)) reply.header('connection', 'close')
  }

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

const unreached = () => {
  throw bug('a request that was answered before its body went on')
}

const stateKey = Symbol('state')

/** Null until its answering begins. */
type CarryingRequest<Deps> = FastifyRequest & { [stateKey]?: RequestState<Deps> | null }

/** No route has this path, or none has this method there, or a browser asks what it may do. */
async function answerUnmatched<Deps>(
  routes: readonly Route<Deps>[],
  state: RequestState<Deps>,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: AppDeps<Deps>,
): Promise<FastifyReply> {
  if (deps.apiFor !== undefined && isOfApi(state) && state.method !== 'OPTIONS') {
    await authorise(deps.apiFor, state, () => {}, valuesOf('authorization', request), deps.deps, deps)
  }
  const path = state.url.split('?', 1)[0] ?? ''
  const here = routesAt(routes, path)
  if (here.length === 0) throw nothingAt(path)
  const allowed = allowedMethods(here)
  reply.header('allow', allowed.join(', '))
  const asked = state.headers['access-control-request-method']
  const wanted = here.find(({ method }) => method === asked) ?? here[0]
  const { origin } = state.headers
  const cors =
    wanted === undefined ? {} : await corsHeaders(wanted, typeof origin === 'string' ? origin : undefined, deps.deps)
  reply.headers(cors)
  if (state.method !== 'OPTIONS') {
    throw incorrect(`This address takes ${allowed.join(', ')}, not ${state.method}.`, { code: 'METHOD_NOT_ALLOWED' })
  }
  if ('access-control-allow-origin' in cors) reply.headers(preflightHeaders(allowed))
  return reply.code(204).send()
}

/** In the words of FHIR, whose operations begin with a dollar sign. */
function nothingAt(path: string): Fault {
  const operation = path.split('/').find((step) => step.startsWith('$'))
  if (operation === undefined) return missing('There is nothing at this address.')
  return missing(`This server has no operation ${operation.slice(0, 64)} here.`, { code: 'NO_OPERATION' })
}

/** Where there is no route the errors look like those of the routes that begin alike. */
const errorsNear = <Deps>(url: string, routes: readonly Route<Deps>[]) =>
  routes.find(({ path, errors }) => errors !== undefined && beginningOf(path) === beginningOf(url))?.errors

const beginningOf = (path: string) => path.split(/[/?]/, 2)[1]

/** A refused body that is large or of unknown length is not worth reading to its end; the connection is. */
function leavesBodyBehind(request: FastifyRequest, bodyBytesMax: number): boolean {
  if (request.raw.complete || !hasBody(request.headers)) return false
  const length = Number(request.headers['content-length'])
  return !(length <= bodyBytesMax) || request.headers.expect !== undefined
}
