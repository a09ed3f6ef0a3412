import type { Role } from '../../packages/tokens/caller.ts'
import type { AttackedRoute } from './world/attacked-route.ts'

const staff = ['CLINICIAN', 'ADMIN'] as const
const admins = ['ADMIN'] as const
const people = ['CLINICIAN', 'ADMIN', 'PATIENT'] as const
const whoever = [] as const

/**
 * Whom each page is for, said once more than in its declaration: a role that is given or taken away there by mistake is
 * noticed here. A page that is in no row fails the suite. No role means whoever has signed in.
 */
const rows: readonly (readonly [service: string, path: RegExp, who: readonly Role[]])[] = [
  ['auth', /^\/portal/, staff],
  ['auth', /^\/(oauth2\/authorize|logout|account\/apps)/, whoever],
  ['consent', /^\/$/, people],
  ['consent', /^\/(patients|consents)\//, staff],
  ['consent', /^\/(ask|admin)/, admins],
  ['referral', /^\/(referrals\/:id)?$/, people],
  ['referral', /^\/(mine|new|new\/gate|patients\/:patient|referrals\/:id\/.+)$/, staff],
  ['bridge', /^\/console\/alerts/, staff],
  ['bridge', /^\/console/, admins],
  ['immunization', /^\//, whoever],
]

export function rolesOfPage({ service, route }: AttackedRoute): readonly Role[] | undefined {
  return rows.find(([name, path]) => name === service && path.test(route.path))?.[2]
}
