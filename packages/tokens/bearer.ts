type Bearer =
  | { readonly is: 'token'; readonly token: string }
  | { readonly is: 'none'; readonly why: string }
  | { readonly is: 'malformed'; readonly why: string }
  /** Two ways at once: nobody could say which of them counts. */
  | { readonly is: 'doubled'; readonly why: string }

/**
 * The bearer token of a request (RFC 6750 section 2.1).
 *
 * @param authorization every value of the Authorization header, as `headersDistinct` has them: Node's plain `headers`
 * keeps the first of two without a word, and a proxy in front may have looked at the other.
 * @param query the raw query string, in which a token is not looked at: addresses end up in logs and histories.
 */
export function readBearer(authorization: readonly string[], query = ''): Bearer {
  if (authorization.length > 1) return { is: 'doubled', why: 'Send the Authorization header only once.' }
  const value = authorization[0]?.trim() ?? ''
  const isInHeader = /^bearer(?:\s|$)/i.test(value)
  if (new URLSearchParams(query).has('access_token')) {
    return {
      is: isInHeader ? 'doubled' : 'none',
      why: 'Send the access token in the Authorization header, not in the address.',
    }
  }
  if (!isInHeader) return { is: 'none', why: 'Send an access token: Authorization: Bearer <token>.' }
  const token = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(value)?.[1]
  if (token === undefined)
    return { is: 'malformed', why: 'Write the Authorization header as "Bearer", a space and the access token.' }
  return { is: 'token', token }
}
