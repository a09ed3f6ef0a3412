import { cookieName, setCookie } from '../../../packages/http/cookies.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { digestOf } from '../secrets/digest.ts'
import type { AuthSettings } from '../settings.ts'

/** Opens nothing: it only says that somebody has signed in with this browser before. */
const cookie = 'corridor_auth_known'

export const knownBrowserSeconds = 90 * 86_400

/** The digest by which the browser may be known. */
export function browserIn(request: IncomingRequest, { isSecure }: AuthSettings): string | undefined {
  const secret = request.cookies.get(cookieName(cookie, isSecure))
  return secret !== undefined && /^[A-Za-z0-9_-]{43}$/.test(secret) ? digestOf(secret) : undefined
}

export const browserCookie = (secret: string, { isSecure }: AuthSettings): string =>
  setCookie(cookie, secret, { isSecure, maxAgeSeconds: knownBrowserSeconds })
