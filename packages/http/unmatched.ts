import type { FastifyReply, FastifyRequest } from 'fastify'
import { incorrect, missing, type Fault } from '../faults/fault.ts'
import { authorise } from './authorise.ts'
import { valuesOf, type BindDeps } from './bind-route.ts'
import { corsHeaders, preflightHeaders } from './cors.ts'
import { isOfApi } from './error-answer.ts'
import type { RequestState } from './request-state.ts'
import { allowedMethods, routesAt } from './route-table.ts'
import type { Route } from './route.ts'

/** No route has this path, or none has this method there, or a browser asks what it may do. */
export async function answerUnmatched<Deps>(
  routes: readonly Route<Deps>[],
  state: RequestState<Deps>,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: BindDeps<Deps>,
): Promise<FastifyReply> {
  if (deps.apiFor !== undefined && isOfApi(state) && state.method !== 'OPTIONS') {
    const authorization = valuesOf('authorization', request)
    await authorise(deps.apiFor, { request: state, authorization }, deps.deps, deps)
  }
  const path = state.url.split('?', 1)[0] ?? ''
  const here = routesAt(routes, path)
  const asked = state.headers['access-control-request-method']
  const wanted = here.length === 0 ? openNear(path, routes) : (here.find(({ method }) => method === asked) ?? here[0])
  const { origin } = state.headers
  const cors =
    wanted === undefined ? {} : await corsHeaders(wanted, typeof origin === 'string' ? origin : undefined, deps.deps)
  reply.headers(cors)
  const isPreflight = state.method === 'OPTIONS' && 'access-control-allow-origin' in cors
  if (here.length === 0) {
    // With a token the page asks first whether it may ask. It may, and hears then that there is nothing.
    if (!isPreflight || typeof asked !== 'string') throw nothingAt(path)
    return reply
      .headers(preflightHeaders(methodsNear(path, routes)))
      .code(204)
      .send()
  }
  const allowed = allowedMethods(here)
  reply.header('allow', allowed.join(', '))
  if (state.method !== 'OPTIONS') {
    throw incorrect(`This address takes ${allowed.join(', ')}, not ${state.method}.`, { code: 'METHOD_NOT_ALLOWED' })
  }
  if (isPreflight) reply.headers(preflightHeaders(allowed))
  return reply.code(204).send()
}

/** A page that mistook an address reads that there is nothing, as it reads what its neighbours say. */
const openNear = <Deps>(path: string, routes: readonly Route<Deps>[]) =>
  near(path, routes).find(({ cors }) => cors !== 'none')

const methodsNear = <Deps>(path: string, routes: readonly Route<Deps>[]) => allowedMethods(near(path, routes))

const near = <Deps>(path: string, routes: readonly Route<Deps>[]) =>
  routes.filter((route) => beginningOf(route.path) === beginningOf(path))

/** In the words of FHIR, whose operations begin with a dollar sign. */
function nothingAt(path: string): Fault {
  const operation = path.split('/').find((step) => step.startsWith('$'))
  if (operation === undefined) return missing('There is nothing at this address.')
  return missing(`This server has no operation ${operation.slice(0, 64)} here.`, { code: 'NO_OPERATION' })
}

/** Where there is no route the errors look like those of the routes that begin alike. */
export const errorsNear = <Deps>(url: string, routes: readonly Route<Deps>[]) =>
  near(url, routes).find(({ errors }) => errors !== undefined)?.errors

const beginningOf = (path: string) => path.split(/[/?]/, 2)[1]
