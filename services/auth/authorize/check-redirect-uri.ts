import { incorrect } from '../../../packages/faults/fault.ts'
import type { Client } from '../store/clients.ts'
import type { Parameters } from '../store/authorization-requests.ts'

/** Compared letter by letter with what is registered (RFC 9700 section 2.1); never redirected to what is not. */
export function checkRedirectUri(parameters: Parameters, client: Client): string {
  const uri = parameters['redirect_uri']
  if (uri === undefined) throw incorrect('redirect_uri is required.', { code: 'invalid_request' })
  if (client.redirectUris.some((registered) => registered === uri || isSameLoopback(registered, uri))) return uri
  throw incorrect('The redirect_uri is not registered for this client; it is compared letter by letter.', {
    code: 'invalid_request',
  })
}

/**
 * RFC 8252 section 7.3: an app on the user's machine cannot know its port in advance. It registers its loopback
 * address without one, and any port is then good; an address that is registered with a port means that port.
 */
function isSameLoopback(registered: string, given: string): boolean {
  const [, start, rest] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(\/.*)?$/.exec(registered) ?? []
  if (start === undefined || !given.startsWith(`${start}:`)) return false
  return /^:\d{1,5}$/.test(given.slice(start.length, given.length - (rest ?? '').length)) && given.endsWith(rest ?? '')
}
