import { unreadableAnswer } from './outbound-faults.ts'
import { parseJsonText } from '../json-text.ts'

export interface OutboundResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  text(): string
  /** The body as JSON; a fault that names the dependency where it is none. */
  json(): unknown
}

export function outboundResponse(
  status: number,
  headers: Headers,
  body: Uint8Array,
  dependency: string,
): OutboundResponse {
  const text = () => new TextDecoder().decode(body)
  return {
    status,
    headers,
    body,
    text,
    json() {
      try {
        return parseJsonText(text(), { depthMax: 200 })
      } catch (error) {
        throw unreadableAnswer(dependency, error)
      }
    },
  }
}
