import type { Route } from './route.ts'

/**
 * The CORS headers for a request from a page of the given origin, or none where the route does not allow it. They go
 * on errors too: a script that cannot read a 401 cannot refresh its token. Credentials are never allowed.
 */
export async function corsHeaders<Deps>(
  route: Pick<Route<Deps>, 'cors' | 'allowsOrigin'>,
  origin: string | undefined,
  deps: Deps,
): Promise<Record<string, string>> {
  if (route.cors === 'none') return {}
  if (route.cors === 'anyone') return { 'access-control-allow-origin': '*', ...exposed }
  const isAllowed = origin !== undefined && origin !== 'null' && (await route.allowsOrigin(origin, deps))
  return { vary: 'Origin', ...(isAllowed ? { 'access-control-allow-origin': origin, ...exposed } : {}) }
}

/**
 * What a preflight request asks for, in addition to the headers above. Two of the names mean nothing here: frameworks of
 * pages put them on every request, FHIR servers take them, and a browser sends nothing of a request that has one too many.
 */
export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers':
      'Accept, Authorization, Cache-Control, Content-Type, If-Match, If-Modified-Since, If-None-Exist, If-None-Match, ' +
      'Prefer, Traceparent, X-Request-Id, X-Requested-With, X-Security-Context',
    'access-control-max-age': '600',
  }
}

const exposed = {
  'access-control-expose-headers':
    'Content-Disposition, Content-Location, ETag, Last-Modified, Link, Location, Retry-After, WWW-Authenticate, ' +
    'X-Request-Id, X-Security-Context',
}
