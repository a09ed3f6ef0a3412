import { describe, expect, it } from 'vitest'
import { roles, type Role } from '../../packages/tokens/caller.ts'
import type { TokenWish } from '../../packages/testkit/tokens.ts'
import type { AttackedRoute } from './world/attacked-route.ts'
import { goodRequest } from './world/good-request.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

/** Every route that asks for a token × good tokens of people whom it is not for. */
export function rolesOnRoutes(world: () => World): void {
  const tryWith = async (
    attack: string,
    targets: readonly AttackedRoute[],
    wish: TokenWish,
    expected: (target: AttackedRoute) => readonly number[] = () => [403],
  ) => {
    const authorization = await world().bearer(wish)
    const make = (target: AttackedRoute) => {
      const good = goodRequest(target)
      return { ...good, headers: { ...good.headers, authorization } }
    }
    return world().tryOn(attack, targets, make, expected)
  }

  describe('a route that asks for a role', { timeout: slowMs }, () => {
    const targets = () => world().tokenRoutes.filter((target) => rolesOf(target) !== undefined)

    it.each([...roles])('refuses %s unless it names that role', async (role) => {
      const closed = targets().filter((target) => rolesOf(target)?.includes(role) === false)
      expect(await tryWith(`role ${role}`, closed, { roles: [role] })).toEqual([])
    })

    it.each([
      ['none', []],
      ['in lower case', roles.map((role) => role.toLowerCase())],
      ['that only begin alike', roles.map((role) => `${role}ISTRATOR`)],
      ['with a space before', roles.map((role) => ` ${role}`)],
      ['in one text with commas', roles.join(',')],
      ['behind another prefix', roles.map((role) => `ROLE_ROLE_${role}`)],
      ['missing', undefined],
    ])('refuses roles %s', async (_what, claim) => {
      expect(await tryWith('roles that are none', targets(), { claims: { roles: claim } })).toEqual([])
    })

    it('knows whom every check of its own lets in', () => {
      const own = world().routes.filter(({ route }) => route.who.kind === 'allowed')
      expect(own.filter((target) => rolesOf(target) === undefined)).toEqual([])
    })
  })

  describe('a route that asks for a scope', { timeout: slowMs }, () => {
    const targets = () => world().tokenRoutes.filter(({ route }) => route.who.kind === 'scopes')
    const nearly = [
      ...['system/*.read', 'system/*.r', 'system/*.s', 'system/*.cu', 'system/Patient.write', 'system/Patient.read'],
      ...['user/*.write', 'user/*.read', 'patient/*.read', 'openidx', 'OPENID', 'profile', 'open id'],
    ]
    const never = [
      '',
      'launch',
      '*',
      '*/*.*',
      'system/*',
      'SYSTEM/*.WRITE',
      'system/*.writes',
      'system/*.sr',
      'system/**.cruds',
    ]

    it('refuses every scope that only looks like it', async () => {
      for (const scope of [...never, ...nearly]) {
        const closed = targets().filter(({ route }) => !route.who.scopes.includes(scope))
        const [alsoByRole, byScope] = [closed.filter(isOpenToRole), closed.filter((target) => !isOpenToRole(target))]
        expect(await tryWith('scope that only looks right', byScope, { scope }), scope).toEqual([])
        // Some that only look right for a program are right for somebody who treats patients.
        const others = { scope, roles: roles.filter((role) => role !== 'CLINICIAN' || !scope.startsWith('user/')) }
        expect(await tryWith('scope that only looks right', alsoByRole, others), scope).toEqual([])
      }
    })

    it.each([...roles])('refuses %s without that scope unless it names that role', async (role) => {
      const closed = targets().filter(({ route }) => !route.who.roles.includes(role))
      expect(await tryWith(`role ${role} without the scope`, closed, { roles: [role], scope: 'user/*.cruds' })).toEqual(
        [],
      )
    })

    it('names a role beside it only where those who treat patients have something to do', () => {
      const named = targets().filter(isOpenToRole)
      expect(named.map(({ name, route }) => [name, ...route.who.roles])).toEqual([
        ['bridge GET /api/alerts', 'CLINICIAN'],
        ['bridge POST /api/alerts/:id/acknowledge', 'CLINICIAN'],
      ])
    })

    it('says which scope it wants', async () => {
      const authorization = await world().bearer({ scope: 'launch', roles: [] })
      for (const target of targets()) {
        const { answer } = await world().send('scope of another form', target, { headers: { authorization } })
        const challenge = String(answer.headers['www-authenticate'])
        expect(challenge).toContain('error="insufficient_scope"')
        for (const scope of target.route.who.scopes) expect(challenge).toContain(scope)
      }
    })
  })

  describe('the FHIR API', { timeout: slowMs }, () => {
    const targets = () => world().tokenRoutes.filter(({ route }) => route.who.kind === 'signedIn')

    it.each(['', 'openid profile', 'launch/patient', 'user/Patient', 'system/*.sr'])(
      'is closed to the scope "%s"',
      async (scope) => {
        expect(await tryWith('no FHIR scope', targets(), { scope }, expectedWithoutScope)).toEqual([])
      },
    )

    it('tells who has no scope of nothing that happened', async () => {
      const authorization = await world().bearer({ scope: 'openid profile' })
      const histories = targets().filter(({ route }) => route.path === '/fhir/_history')
      for (const target of histories) {
        const { answer } = await world().send('no FHIR scope', target, { headers: { authorization } })
        expect(JSON.parse(answer.text)).not.toHaveProperty('entry')
      }
      expect(histories.length).toBe(1)
    })

    it('lets nobody write who may only read', async () => {
      const writing = targets().filter(({ route }) => isWriting(route.method, route.path))
      expect(writing.length).toBeGreaterThan(5)
      for (const scope of ['user/*.rs', 'system/*.read', 'patient/*.rs user/*.rs']) {
        expect(await tryWith('reading scope on a write', writing, { scope, patient: 'amina-diallo' }), scope).toEqual(
          [],
        )
      }
    })
  })
}

/** It asks for a scope, and some have no need of it. */
const isOpenToRole = ({ route }: AttackedRoute): boolean => route.who.roles.length > 0

/** Whom the declaration lets in; a check of a service's own says it in words. */
function rolesOf({ route: { who } }: AttackedRoute): readonly Role[] | undefined {
  return who.kind === 'roles' ? who.roles : checks[who.printed]
}

const checks: Readonly<Record<string, readonly Role[]>> = { 'services of the platform (role SYSTEM)': ['SYSTEM'] }

/** The standard itself is nobody's record: codes and rules are open to whoever is signed in, as is an empty history. */
function expectedWithoutScope({ route: { path } }: AttackedRoute): readonly number[] {
  // Terminology of that id is not there, and a body that is no Parameters is looked at first.
  if (/\/:id\/\$(expand|validate-code|translate)$/.test(path)) return [404, 400]
  if (/\$(lookup|validate-code|expand|translate|validate)$/.test(path)) return [200, 400]
  if (path === '/fhir/_history') return [200]
  // A batch is refused part by part; this is none.
  return /^\/fhir\/?$/.test(path) ? [400, 403] : [403]
}

const isWriting = (method: string, path: string) => method !== 'GET' && !/_search|\$|\/fhir\/?$/.test(path)
