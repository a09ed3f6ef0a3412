type Bearer =
  | { readonly is: 'token'; readonly token: string }
  | { readonly is: 'none' }
  | { readonly is: 'malformed'; readonly why: string }

/**
 * The bearer token of a request (RFC 6750 section 2.1).
 *
 * @param authorization every value of the Authorization header, as `headersDistinct` has them: Node's plain `headers`
 * keeps the first of two without a word, and a proxy in front may have looked at the other.
 * @param query the raw query string, in which a token is refused: addresses end up in logs and histories.
 */
export function readBearer(authorization: readonly string[], query = ''): Bearer {
  if (new URLSearchParams(query).has('access_token')) {
    return { is: 'malformed', why: 'Send the access token in the Authorization header, not in the address.' }
  }
  if (authorization.length > 1) return { is: 'malformed', why: 'Send the Authorization header only once.' }
  const value = authorization[0]?.trim() ?? ''
  if (!/^bearer(?:\s|$)/i.test(value)) return { is: 'none' }
  const token = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(value)?.[1]
  if (token === undefined)
    return { is: 'malformed', why: 'Write the Authorization header as "Bearer", a space and the access token.' }
  return { is: 'token', token }
}
