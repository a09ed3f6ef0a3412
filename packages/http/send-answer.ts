import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { assert } from '../faults/fault.ts'
import { isReply, Reply } from './answer.ts'
import { isContent } from './content.ts'
import type { RequestState } from './request-state.ts'
import type { Route } from './route.ts'

/** Sends what `run` returned, by the route's declared outputs. Fastify's serialiser drops what a schema leaves out. */
type SendAnswer<Deps> = (answer: unknown, state: RequestState<Deps>, reply: FastifyReply) => FastifyReply

export function answerSender<Deps>(route: Route<Deps>): SendAnswer<Deps> {
  const name = `${route.method} ${route.path}`
  const successes = Object.keys(route.output)
    .map(Number)
    .filter((status) => status >= 200 && status < 300)
  const onlySuccess = () => {
    const [status] = successes
    assert(
      status !== undefined && successes.length === 1,
      `${name} declares ${successes.length} successes: say which with reply()`,
    )
    return status
  }
  return (answer, state, reply) => {
    const given = isReply(answer) ? answer : new Reply(onlySuccess(), answer)
    const { status, body, headers, formTargets } = given
    const output = route.output[status]
    assert(output !== undefined, `${name} answered ${status}, which it does not declare`)
    state.formTargets = formTargets
    reply.code(status)
    if (route.cache !== undefined && status < 400) reply.header('cache-control', route.cache)
    for (const [header, value] of Object.entries(headers)) reply.header(header, value)
    if (!isContent(output)) {
      assert(body !== undefined, `${name} answered ${status} without a body`)
      return reply.type('application/json; charset=utf-8').send(body)
    }
    if (output.content === 'nothing') return reply.send()
    if (output.mediaType !== undefined && reply.getHeader('content-type') === undefined) reply.type(output.mediaType)
    if (body instanceof Readable && state.method === 'HEAD') return reply.send(unread(body))
    return reply.send(output.content === 'json' ? JSON.stringify(body) : body)
  }
}

/** Whoever wants the head alone reads no stream, and one that nobody reads to its end would never be let go. */
function unread(stream: Readable): undefined {
  stream.destroy()
}
