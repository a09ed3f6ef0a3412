import { incorrect } from '../faults/fault.ts'
import { parseJsonText } from './json-text.ts'
import type { HttpLimits } from './listen/limits.ts'
import { checkEncoding, collectPairs } from './pairs.ts'

export const jsonType = 'application/json'
export const formType = 'application/x-www-form-urlencoded'

/** The media type without its parameters, in lower case. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase()
}

/** Refuses, before the body is read, a type that the route does not take. */
export function checkMediaType(headers: BodyHeaders, accepts: readonly string[]): void {
  if (!hasBody(headers)) return
  const contentType = headers['content-type']
  const mediaType = mediaTypeOf(contentType)
  if (mediaType === undefined || !accepts.includes(mediaType)) {
    throw unsupported(`Send the body as ${accepts.join(' or ')} and name that type in the Content-Type header.`)
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]
  if (charset !== undefined && !charsetsOf(mediaType).test(charset)) throw unsupported('Send the body in UTF-8.')
  // Nothing is unpacked here, so that nothing small can become something huge.
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw unsupported('Send the body without compression.')
}

/**
 * A form has no charset (its registration knows no parameters; escapes are UTF-8), but Apache's HttpClient for Java, which
 * gives every form this one, is behind many a server that asks for tokens. What is no UTF-8 is refused when it is read.
 */
const charsetsOf = (mediaType: string): RegExp =>
  mediaType === formType ? /^(utf-?8|us-ascii|iso-8859-1)$/i : /^(utf-?8|us-ascii)$/i

/** The body as a value: JSON, or the fields of a form. */
export function parseBody(raw: Uint8Array, { isForm }: { isForm: boolean }, limits: HttpLimits): unknown {
  const text = decodeText(raw)
  if (!isForm) return parseJsonText(text, { depthMax: limits.jsonDepthMax })
  checkEncoding(text)
  const pairs = new URLSearchParams(text)
  if (pairs.size > limits.formFieldsMax) throw incorrect(`The form has more than ${limits.formFieldsMax} fields.`)
  // Browsers count a line break as one character and send it as two: what fits into a field must fit here as well.
  return collectPairs([...pairs].map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]))
}

interface BodyHeaders {
  readonly 'content-type'?: string | undefined
  readonly 'content-length'?: string | undefined
  readonly 'content-encoding'?: string | undefined
  readonly 'transfer-encoding'?: string | undefined
}

export function hasBody(headers: BodyHeaders): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** It keeps nothing from one text to the next; making one costs more than reading a form with it. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

export function decodeText(raw: Uint8Array): string {
  try {
    return utf8.decode(raw)
  } catch (error) {
    throw incorrect('The body is not UTF-8.', { cause: error })
  }
}

const unsupported = (shown: string) => incorrect(shown, { code: 'UNSUPPORTED_MEDIA_TYPE' })

export const bodyTooLarge = (bytesMax: number | undefined) =>
  incorrect(`The body is larger than the ${bytesMax} bytes that are taken here.`, { code: 'BODY_TOO_LARGE' })
