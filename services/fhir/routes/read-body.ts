import { incorrect } from '../../../packages/faults/fault.ts'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import { inspectJsonText } from '../../../packages/http/json-text.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'

/** Deeper than any real resource, and as deep as validation goes. */
const jsonDepthMax = 100

/** The JSON of a request, decimals as they were written. */
export function readBody(request: Pick<IncomingRequest, 'rawBody'>): unknown {
  const text = readText(request)
  if (text.trim() === '') throw incorrect('Send a body: JSON of a resource.', { code: 'EMPTY_BODY' })
  inspectJsonText(text, jsonDepthMax)
  try {
    return parseJson(text)
  } catch (error) {
    // The parser's own message quotes the text, and the text may hold a patient's name.
    throw incorrect('The body is not JSON. Check quotes, commas and brackets.', { cause: error, logged: 'JSON syntax' })
  }
}

export function readText({ rawBody }: Pick<IncomingRequest, 'rawBody'>): string {
  if (rawBody === undefined) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(rawBody)
  } catch (error) {
    throw incorrect('The body is not UTF-8.', { cause: error })
  }
}
