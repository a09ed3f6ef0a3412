import { incorrect } from '../../../packages/faults/fault.ts'
import { decodeText } from '../../../packages/http/body.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { readJson } from '../interactions/read-json.ts'

/** The JSON of a request. */
export function readBody(request: Pick<IncomingRequest, 'rawBody'>): unknown {
  const text = readText(request)
  if (text.trim() === '') throw incorrect('Send a body: JSON of a resource.', { code: 'EMPTY_BODY' })
  return readJson(text)
}

export const readText = ({ rawBody }: Pick<IncomingRequest, 'rawBody'>): string =>
  rawBody === undefined ? '' : decodeText(rawBody)
