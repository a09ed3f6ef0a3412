import { bug } from '../faults/fault.ts'

/** RFC 6265 section 4.2. The first of two cookies of one name counts: browsers send the more specific path first. */
export function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    const name = pair.slice(0, equals).trim()
    if (equals > 0 && name !== '' && !cookies.has(name)) cookies.set(name, unquoted(pair.slice(equals + 1).trim()))
  }
  return cookies
}

/**
 * The full name of a cookie. Under https the prefix `__Host-` binds it to this host and to https. Ports share cookies,
 * so every service needs a name of its own.
 */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}

interface CookieOptions {
  readonly isSecure: boolean
  /** Without it the cookie lives as long as the browser. */
  readonly maxAgeSeconds?: number
}

/** A Set-Cookie value: never readable by scripts, never sent along by other sites' requests beyond a plain link. */
export function setCookie(name: string, value: string, options: CookieOptions): string {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) throw bug('a cookie name has a sign that is not allowed')
  if (!/^[A-Za-z0-9._~+/=-]*$/.test(value)) throw bug('a cookie value has a sign that is not allowed')
  return [
    `${cookieName(name, options.isSecure)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    ...(options.isSecure ? ['Secure'] : []),
    ...(options.maxAgeSeconds === undefined ? [] : [`Max-Age=${options.maxAgeSeconds}`]),
  ].join('; ')
}

/** A Set-Cookie value that makes the browser forget. */
export function clearCookie(name: string, options: { readonly isSecure: boolean }): string {
  return setCookie(name, '', { isSecure: options.isSecure, maxAgeSeconds: 0 })
}

const unquoted = (value: string) => (/^".*"$/.test(value) ? value.slice(1, -1) : value)
