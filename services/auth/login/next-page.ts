/** The pages here that somebody may have wanted who had to sign in first. Nothing else is ever gone to. */
const wanted = /^\/(?:portal\/patients\/[A-Za-z0-9.-]{1,64}|account\/apps)$/

/** Where to go after signing in: what was wanted, else the portal. */
export const nextPage = (given: string | undefined): string =>
  given !== undefined && wanted.test(given) ? given : '/portal'

/** The login page that leads on to it. */
export const loginFor = (page: string): string =>
  wanted.test(page) ? `/login?to=${encodeURIComponent(page)}` : '/login'
