import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasBody } from './body.ts'
import { isOfApi } from './error-answer.ts'
import type { Connections } from './listen/connections.ts'
import type { RequestState } from './request-state.ts'
import { securityHeaders } from './security-headers.ts'

/** It stays 1 while what is below /api only grows. */
const apiVersion = '1'

interface HeaderDeps {
  readonly isSecure: boolean
  readonly connections: Connections
  readonly limits: { readonly bodyBytesMax: number }
}

/** Sets what every answer says, whatever its route: before it is sent, when its own headers are known. */
export function answerHeaders({ isSecure, connections, limits }: HeaderDeps) {
  const dataHeaders = securityHeaders({ isHtml: false, isSecure })
  const keptOpenerHeaders = securityHeaders({ isHtml: false, isSecure, keepsOpener: true })
  return <Deps>(state: RequestState<Deps>, request: FastifyRequest, reply: FastifyReply): void => {
    const isHtml = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    // Closed to every page but the one that says which it needs: a camera to scan with.
    const devices = reply.getHeader('permissions-policy')
    // The script of a worker is no page and asks the network all the same, under the policy of its own answer.
    const reach = isHtml ? undefined : reply.getHeader('content-security-policy')
    const keepsOpener = state.declared?.keepsOpener === true
    if (isHtml) reply.headers(securityHeaders({ isHtml, isSecure, formTargets: state.formTargets, keepsOpener }))
    else reply.headers(keepsOpener ? keptOpenerHeaders : dataHeaders)
    // The form goes on under the policy of this answer: with no-referrer Firefox has a null origin there (decision 1520).
    if (reply.statusCode === 307) reply.header('referrer-policy', 'same-origin')
    if (devices !== undefined) reply.header('permissions-policy', devices)
    if (reach !== undefined) reply.header('content-security-policy', reach)
    reply.header('x-request-id', state.id)
    if (isOfApi(request)) reply.header('x-api-version', apiVersion)
    const cache = reply.getHeader('cache-control') ?? 'no-store'
    reply.header('cache-control', cache)
    // RFC 6749 section 5.1 still asks for the old header beside the new one.
    if (cache === 'no-store') reply.header('pragma', 'no-cache')
    if (connections.isDraining || leavesBodyBehind(request, limits.bodyBytesMax)) reply.header('connection', 'close')
  }
}

/** A refused body that is large or of unknown length is not worth reading to its end; the connection is. */
function leavesBodyBehind(request: FastifyRequest, bodyBytesMax: number): boolean {
  if (request.raw.complete || !hasBody(request.headers)) return false
  const length = Number(request.headers['content-length'])
  return !(length <= bodyBytesMax) || request.headers.expect !== undefined
}
