import type { Ids } from '../clock/ids.ts'

/** What ties the log lines and calls of one request together, across services. */
export interface Trace {
  readonly requestId: string
  /** W3C trace context: 32 hex digits for the whole, 16 for this step. */
  readonly traceId: string
  readonly spanId: string
  readonly flags: string
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * Taken from the caller where it can only be an id, else made here: it is logged and audited, and a short plain text may
 * as well be a name, a number of a person or a date of birth.
 */
export function requestIdOf(headers: Headers, ids: Ids): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && isRequestId(given)) return given
  return parseTraceparent(headers['traceparent'])?.traceId ?? ids.uuid()
}

/** Made for those requests only that call others. */
export function traceOf(headers: Headers, ids: Ids, requestId = requestIdOf(headers, ids)): Trace {
  const parent = parseTraceparent(headers['traceparent'])
  return {
    requestId,
    traceId: parent?.traceId ?? hexOf(ids),
    spanId: hexOf(ids).slice(0, 16),
    flags: parent?.flags ?? '00',
  }
}

/** The headers that pass a trace on to the next service; a caller's own span id is its parent there. */
export function traceHeaders(trace: Trace): Record<string, string> {
  return { 'x-request-id': trace.requestId, traceparent: `00-${trace.traceId}-${trace.spanId}-${trace.flags}` }
}

const isRequestId = (text: string): boolean => requestIdForms.some((form) => form.test(text))

/** What makes ids makes one of these: no name has them, and no number that somebody was given. */
const requestIdForms = [
  // A UUID, and one without its hyphens, as trace ids and proxies write theirs.
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  // Other lengths want a letter: sixteen digits may be a card's.
  /^[0-9a-f]{32}$|^(?=\d*[a-f])[0-9a-f]{16,64}$/i,
  // A ULID.
  /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/,
]
const traceparentForm = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

function parseTraceparent(value: Headers[string]): { traceId: string; flags: string } | undefined {
  if (typeof value !== 'string') return undefined
  const [, traceId, spanId, flags] = traceparentForm.exec(value) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  // W3C trace context 3.2.2: all zeros is no id.
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, flags }
}

const hexOf = (ids: Ids) => ids.uuid().replaceAll('-', '')
