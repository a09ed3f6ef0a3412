import type { FastifyReply } from 'fastify'
import type { Clock } from '../clock/clock.ts'
import { faultOf, incorrect, type Fault } from '../faults/fault.ts'
import { loggedFault } from '../faults/logged.ts'
import { httpStatusOf, problemOf, type Problem } from '../faults/render.ts'
import type { Log } from '../log/log.ts'
import { prefersHtml } from './accept.ts'
import { bodyTooLarge } from './body.ts'
import { challengeOf } from './challenge.ts'
import { renderError, type ErrorStyle } from './error-style.ts'
import { headerOf, type IncomingRequest } from './request.ts'
import type { RequestState } from './request-state.ts'
import type { Who } from './who.ts'

export interface ErrorAnswerOptions {
  readonly errors: ErrorStyle
  /** A page for people, where the caller is a browser. */
  readonly htmlError: HtmlError | undefined
  /** Whoever this refuses does not even learn that there is nothing at an address below /api. */
  readonly apiFor: Who | undefined
  readonly clock: Clock
  readonly log: Log
}

export type HtmlError = (problem: Problem, requestId: string, failed: FailedPage) => string | ErrorPage

/** Where the page is not all that there is to say. */
export interface ErrorPage {
  readonly markup: string
  readonly headers: Readonly<Record<string, string>>
}

/** What a page about an error may depend on. */
export interface FailedPage extends Pick<IncomingRequest, 'method' | 'url' | 'headers' | 'cookies' | 'rawBody'> {
  /** Whom the route's guard found before it failed. */
  readonly caller: unknown
}

/** The one place where something thrown becomes an answer. */
export function sendError<Deps>(
  thrown: unknown,
  state: RequestState<Deps>,
  reply: FastifyReply,
  options: ErrorAnswerOptions & { readonly deps: Deps },
): FastifyReply {
  const fault = faultOfThrown(thrown, reply.request.routeOptions.bodyLimit)
  const { httpStatus } = httpStatusOf(fault)
  state.declared?.onFault?.({ fault, caller: state.caller, request: state }, options.deps)
  logFault(fault, httpStatus, state, options.log)
  const challenge = challengeOf(fault, state.declared?.who ?? options.apiFor)
  if (challenge !== undefined) reply.header('www-authenticate', challenge)
  const waitSeconds = fault.retryAfterSeconds ?? defaultWaitSeconds[httpStatus]
  if (waitSeconds !== undefined) reply.header('retry-after', String(waitSeconds))
  const now = options.clock.now()
  reply.code(httpStatus).header('cache-control', 'no-store')
  if (options.htmlError !== undefined && isForPeople(state)) {
    const page = options.htmlError(problemOf(fault, now), state.id, state)
    const { markup, headers } = typeof page === 'string' ? { markup: page, headers: {} } : page
    return reply.headers(headers).type('text/html; charset=utf-8').send(markup)
  }
  const { mediaType, body } = renderError(state.declared?.errors ?? options.errors, fault, now)
  // As bytes: Fastify would add a charset to a text, and problem+json is registered without one.
  return reply.type(mediaType).send(Buffer.from(body))
}

/** The forms of its errors are part of an API, as those of its answers are: it has them for whoever asks. */
export const isOfApi = ({ url }: { readonly url: string }) => /^\/api(?:[/?]|$)/.test(url)

const isForPeople = <Deps>(state: RequestState<Deps>): boolean =>
  !isOfApi(state) && state.declared?.isForPrograms !== true && prefersHtml(headerOf(state, 'accept'))

const defaultWaitSeconds: Readonly<Record<number, number>> = { 429: 1, 503: 5 }

/** Fastify's own refusals in our words; everything else that is no fault is a bug. */
function faultOfThrown(thrown: unknown, bodyBytesMax: number | undefined): Fault {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(bodyBytesMax)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return incorrect('The Content-Type header cannot be read.', { code: 'UNSUPPORTED_MEDIA_TYPE' })
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
    case 'ERR_STREAM_PREMATURE_CLOSE':
      return incorrect('The body ended before it was complete.')
    case 'FST_ERR_BAD_URL':
      return incorrect('The address cannot be read. Check its percent signs.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return incorrect('The address is too long.', { code: 'URI_TOO_LONG' })
    default:
      return faultOf(thrown)
  }
}

function logFault<Deps>(fault: Fault, status: number, state: RequestState<Deps>, log: Log): void {
  const fields = { route: state.route, status, requestId: state.id, ...loggedFault(fault) }
  if (fault.kind === 'bug') log.error('request failed', fields)
  else if (fault.kind === 'unavailable') log.warn('request failed', fields)
  else log.debug('request refused', fields)
}
