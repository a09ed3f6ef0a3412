import type { Ajv } from 'ajv'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Ids } from '../clock/ids.ts'
import { incorrect } from '../faults/fault.ts'
import { authorise, type AuthoriseDeps } from './authorise.ts'
import { checkMediaType, formType, jsonType, mediaTypeOf, parseBody } from './body.ts'
import { isContent } from './content.ts'
import { corsHeaders } from './cors.ts'
import { checkSameOrigin } from './csrf.ts'
import type { ErrorAnswerOptions } from './error-answer.ts'
import { inputChecker } from './input.ts'
import type { HttpLimits } from './listen/limits.ts'
import { checkEncoding, type Pairs } from './pairs.ts'
import { queryOf } from './request.ts'
import type { RequestState } from './request-state.ts'
import type { Route } from './route.ts'
import { answerSender } from './send-answer.ts'

export interface BindDeps<Deps> extends AuthoriseDeps, ErrorAnswerOptions {
  readonly deps: Deps
  readonly limits: HttpLimits
  readonly ids: Ids
  readonly isSecure: boolean
  /** Origins at which this server's own pages are reached; filled once it listens. */
  readonly ownOrigins: readonly string[]
}

interface Binding<Deps> extends BindDeps<Deps> {
  readonly ajv: Ajv
  begin(request: FastifyRequest, reply: FastifyReply, route: Route<Deps>): RequestState<Deps>
  stateOf(request: FastifyRequest, reply: FastifyReply): RequestState<Deps>
}

/** Puts one declared route into Fastify: who, then what kind of body, then the body, then its check, then `run`. */
export function bindRoute<Deps>(app: FastifyInstance, route: Route<Deps>, binding: Binding<Deps>): void {
  const { deps } = binding
  const limits = { ...binding.limits, ...route.limits }
  const accepts = route.accepts ?? [jsonType]
  const check = inputChecker(
    route.input ?? {},
    { strictQuery: route.strictQuery === true, openQuery: route.readsOwnInput === true },
    binding.ajv,
  )
  const send = answerSender(route)
  const isSameOriginOnly = route.sameOrigin ?? (route.who.kind === 'guard' && route.method !== 'GET')
  app.route({
    method: route.method,
    url: route.path,
    exposeHeadRoute: route.takesHead ?? true,
    schema: { response: jsonOutputs(route) },
    ...(route.limits?.bodyBytesMax === undefined ? {} : { bodyLimit: route.limits.bodyBytesMax }),
    onRequest: async (request, reply) => {
      const state = binding.begin(request, reply, route)
      if (route.cors !== 'none') reply.headers(await corsHeaders(route, request.headers.origin, deps))
      if (valuesOf('host', request).length > 1) throw incorrect('The request names two hosts.')
      if (state.url.length > limits.urlBytesMax) throw incorrect('The address is too long.', { code: 'URI_TOO_LONG' })
      if (isSameOriginOnly) checkSameOrigin(request.headers, binding.ownOrigins)
      const found = (caller: unknown) => void (state.caller = caller)
      const authorization = valuesOf('authorization', request)
      const elsewhere = await authorise(route.who, { request: state, authorization, found }, deps, binding)
      if (elsewhere !== undefined) return send(elsewhere, state, reply)
      if (route.input?.body !== undefined) checkMediaType(request.headers, accepts)
      return undefined
    },
    handler: async (request, reply) => {
      const state = binding.stateOf(request, reply)
      if (route.readsOwnInput !== true) checkEncoding(queryOf(state.url))
      const sent = bodyOf(request, state)
      // Sound: it checks what was sent for whom its own guard has found.
      route.who.checkSent?.(state.caller as never, state)
      const input = check({ ...sent, ...textsOf(request) }, (sound) => route.alsoWrong(sound, deps))
      const answer = await route.run({ ...input, caller: state.caller, request: state }, deps)
      return send(answer, state, reply)
    },
  })

  function bodyOf(request: FastifyRequest, state: RequestState<Deps>) {
    const raw = request.body
    const bodyIsForm = mediaTypeOf(request.headers['content-type']) === formType
    // A form without fields is a form; JSON without a sign is no body.
    const isThere = Buffer.isBuffer(raw) && (raw.length > 0 || bodyIsForm)
    if (isThere) state.rawBody = raw
    if (!isThere || route.input?.body === undefined || route.readsOwnInput === true) {
      return { body: undefined, bodyIsForm }
    }
    return { body: parseBody(raw, { isForm: bodyIsForm }, limits), bodyIsForm }
  }
}

/** Sound casts: the server's own query parser and the router yield texts by name. */
function textsOf(request: FastifyRequest) {
  return { params: request.params as Pairs, query: request.query as Pairs, headers: request.headers }
}

function jsonOutputs<Deps>(route: Route<Deps>): Record<string, TSchema> {
  return Object.fromEntries(Object.entries(route.output).filter(([, output]) => !isContent(output)))
}

/** Every header of this name: Node's plain `headers` silently keeps the first of two. */
export function valuesOf(name: 'authorization' | 'host', request: FastifyRequest): string[] {
  const { rawHeaders } = request.raw
  const found: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) found.push(rawHeaders[at + 1] ?? '')
  }
  return found
}
