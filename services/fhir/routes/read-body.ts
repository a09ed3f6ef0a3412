import { incorrect } from '../../../packages/faults/fault.ts'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import { depthMax } from '../../../packages/fhir/validate/report.ts'
import { decodeText } from '../../../packages/http/body.ts'
import { parseJsonText } from '../../../packages/http/json-text.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'

/** The JSON of a request as deep as validation goes, decimals as they were written. */
export function readBody(request: Pick<IncomingRequest, 'rawBody'>): unknown {
  const text = readText(request)
  if (text.trim() === '') throw incorrect('Send a body: JSON of a resource.', { code: 'EMPTY_BODY' })
  return parseJsonText(text, { depthMax, parse: parseJson })
}

export const readText = ({ rawBody }: Pick<IncomingRequest, 'rawBody'>): string =>
  rawBody === undefined ? '' : decodeText(rawBody)
