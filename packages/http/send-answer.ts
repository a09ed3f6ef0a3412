import type { FastifyReply } from 'fastify'
import { assert } from '../faults/fault.ts'
import { isReply, Reply } from './answer.ts'
import { isContent } from './content.ts'
import type { RequestState } from './request-state.ts'
import type { Route } from './route.ts'

/** Sends what `run` returned, by the route's declared outputs. Fastify's serialiser drops what a schema leaves out. */
export function sendAnswer<Deps>(
  answer: unknown,
  route: Route<Deps>,
  state: RequestState<Deps>,
  reply: FastifyReply,
): FastifyReply {
  const given = isReply(answer) ? answer : new Reply(successStatus(route), answer)
  const { status, body, headers, formTargets } = given
  const output = route.output[status]
  assert(output !== undefined, `${route.method} ${route.path} answered ${status}, which it does not declare`)
  state.formTargets = formTargets
  reply.code(status)
  if (route.cache !== undefined && status < 400) reply.header('cache-control', route.cache)
  for (const [name, value] of Object.entries(headers)) reply.header(name, value)
  if (!isContent(output)) {
    assert(body !== undefined, `${route.method} ${route.path} answered ${status} without a body`)
    return reply.type('application/json; charset=utf-8').send(body)
  }
  if (output.content === 'nothing') return reply.send()
  if (output.mediaType !== undefined && reply.getHeader('content-type') === undefined) reply.type(output.mediaType)
  return reply.send(output.content === 'json' ? JSON.stringify(body) : body)
}

function successStatus<Deps>(route: Route<Deps>): number {
  const statuses = Object.keys(route.output)
    .map(Number)
    .filter((status) => status >= 200 && status < 300)
  const [status] = statuses
  assert(
    status !== undefined && statuses.length === 1,
    `${route.method} ${route.path} declares ${statuses.length} successes: say which with reply()`,
  )
  return status
}
