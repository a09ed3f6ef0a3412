import { roles, type Role } from '../../packages/tokens/caller.ts'
import type { AttackedRoute } from './world/attacked-route.ts'

const staff = ['CLINICIAN', 'ADMIN'] as const
const admins = ['ADMIN'] as const
const people = ['CLINICIAN', 'ADMIN', 'PATIENT'] as const

/**
 * Whom each page is for. A declaration says only that somebody must be signed in; the roles are the page's own affair,
 * so they stand here once more. A page that is in no row fails the suite.
 */
const rows: readonly (readonly [service: string, path: RegExp, who: readonly Role[]])[] = [
  ['auth', /^\/portal/, staff],
  ['auth', /^\/(oauth2\/authorize|logout|account\/apps)/, people],
  ['consent', /^\/$/, people],
  ['consent', /^\/(patients|consents)\//, staff],
  ['consent', /^\/(ask|admin)/, admins],
  ['referral', /^\/(referrals\/:id)?$/, people],
  ['referral', /^\/(mine|new|new\/gate|referrals\/:id\/.+)$/, staff],
  ['bridge', /^\/console/, admins],
  ['immunization', /^\//, roles],
]

export function rolesOfPage({ service, route }: AttackedRoute): readonly Role[] | undefined {
  return rows.find(([name, path]) => name === service && path.test(route.path))?.[2]
}
