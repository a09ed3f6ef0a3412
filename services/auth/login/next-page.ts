import type { User } from '../store/users.ts'

/** The pages here that somebody may have wanted who had to sign in first. Nothing else is ever gone to. */
const wanted = /^\/(?:portal\/patients\/[A-Za-z0-9.-]{1,64}|account\/apps)$/

const ownApps = '/account/apps'

/** The first page of whoever it is: the portal is for those who treat, and closed to patients. */
export const homeOf = ({ roles }: Pick<User, 'roles'>): '/portal' | '/account/apps' =>
  roles.includes('CLINICIAN') || roles.includes('ADMIN') ? '/portal' : ownApps

/** Where to go after signing in: what was wanted and is open to them, else their first page. */
export function nextPage(given: string | undefined, user: Pick<User, 'roles'>): string {
  const home = homeOf(user)
  const isOpen = given === ownApps || home === '/portal'
  return given !== undefined && isOpen && wanted.test(given) ? given : home
}

/** The login page that leads on to it, or back to the request of an app that the page was about. */
export function loginFor(page: string): string {
  const request = choosing.exec(page)?.[1]
  if (request !== undefined) return `/login?request=${request}`
  return wanted.test(page) ? `/login?to=${encodeURIComponent(page)}` : '/login'
}

/** The pages where a user chooses for an app, and the id of what the app asked. Their forms have it in their address, too. */
const choosing = /^\/oauth2\/authorize\/(?:patient|consent)\?(?:[^#]*&)?request=([A-Za-z0-9_-]{1,100})(?:&|$)/
