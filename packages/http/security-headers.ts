/** The headers that keep browsers from doing what we never meant, on every answer. By hand: helmet costs 80 µs. */
export function securityHeaders(options: {
  readonly isHtml: boolean
  readonly isSecure: boolean
  readonly formTargets?: readonly string[] | undefined
  /** Whether the window that opened this one keeps its hold of it; see `keepsOpener` of a route. */
  readonly keepsOpener?: boolean | undefined
}): Record<string, string> {
  return {
    'content-security-policy': options.isHtml ? pagePolicy(options.formTargets) : dataPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // A browser that says nothing of the site (Sec-Fetch-Site) tells with a form of ours only by this where it came from. No other
    // server is told (decision 1520).
    'referrer-policy': options.isHtml ? 'same-origin' : 'no-referrer',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': options.keepsOpener === true ? 'unsafe-none' : 'same-origin',
    // Of this host alone: what else is in the domain, and whether it has TLS, is not ours to say (decision 1722).
    ...(options.isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

const dataPolicy = "default-src 'none'; frame-ancestors 'none'"

const pageSources =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * `form-action` holds for every hop of the redirects that follow a form, so a page that signs a user in to an app must
 * name the app's origin, or leave the directive out.
 */
function pagePolicy(formTargets: readonly string[] | undefined): string {
  return formTargets === undefined
    ? pageSources
    : `${pageSources}; form-action 'self' ${formTargets.join(' ')}`.trimEnd()
}
