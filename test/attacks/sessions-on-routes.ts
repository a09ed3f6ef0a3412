import { beforeAll, describe, expect, it } from 'vitest'
import { formType } from '../../packages/http/body.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import type { Role } from '../../packages/tokens/caller.ts'
import { openedByField } from '../../packages/views/opened-by.ts'
import { rolesOfPage } from './page-roles.ts'
import type { AttackedRoute } from './world/attacked-route.ts'
import { goodRequest } from './world/good-request.ts'
import { people, type Person, type SignedInPeople } from './world/people.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

/** Every page and every form × nobody, somebody else's or a wrong session, and pages of other sites. */
export function sessionsOnRoutes(world: () => World): void {
  describe('a route that asks for a session', { timeout: slowMs }, () => {
    let cookieOf: SignedInPeople
    const targets = () => world().routes.filter(({ door }) => door === 'session')
    beforeAll(async () => {
      cookieOf = await world().people()
    })

    it('declares whom it is for, as the list of pages has it', () => {
      const declared = targets().map(({ name, route: { who } }) => [name, who.roles])
      expect(declared).toEqual(targets().map((target) => [target.name, rolesOfPage(target)]))
      expect(targets().length).toBeGreaterThan(60)
    })

    it.each([
      ['a program', 'application/json', notLetIn],
      ['a browser', 'text/html', givenBack],
    ])('lets %s without one in nowhere', async (_who, accept, expected) => {
      const make = (target: AttackedRoute) => sendWith(target, { accept })
      expect(await world().tryOn('no session', targets(), make, expected)).toEqual([])
    })

    it('lets nobody in with a made-up session, one of another service, or a token', async () => {
      const authorization = await world().bearer()
      const values = { 'made up': 'A'.repeat(43), short: 'A', SQL: "' or '1'='1", empty: '' }
      for (const [attack, value] of Object.entries(values)) {
        const cookie = cookieNames.map((name) => `${name}=${value}`).join('; ')
        const make = (target: AttackedRoute) => sendWith(target, { cookie })
        expect(await world().tryOn(`session ${attack}`, targets(), make, notLetIn), attack).toEqual([])
      }
      const withToken = (target: AttackedRoute) => sendWith(target, { authorization })
      expect(await world().tryOn('token in place of a session', targets(), withToken, notLetIn)).toEqual([])
      const exchanged = (target: AttackedRoute) => {
        const cookie = exchangedCookies(cookieOf.admin, target)
        return sendWith(target, { cookie })
      }
      expect(await world().tryOn("another service's session", targets(), exchanged, notLetIn)).toEqual([])
    })

    it('refuses who is signed in with a role that the page is not for', async () => {
      const closedTo = (person: Person) =>
        targets().filter(({ route: { who } }) => who.roles.length > 0 && !who.roles.includes(roleOf[person]))
      const refused = people.filter((person) => closedTo(person).length > 0)
      expect(people.filter((person) => !refused.includes(person))).toEqual(['admin'])
      for (const person of refused) {
        const make = (target: AttackedRoute) => sendWith(target, { cookie: cookieOf[person] })
        expect(
          await world().tryOn(`session of role ${roleOf[person]}`, closedTo(person), make, () => [403]),
          person,
        ).toEqual([])
      }
    })

    it.each([
      ['nobody', () => ({}), 401, 'UNAUTHENTICATED'],
      ['somebody whom the page is not for', () => ({ cookie: cookieOf.clinician }), 403, 'FORBIDDEN'],
    ])('has it written down that %s asked for a decision', async (_who, headers, status, outcome) => {
      const asking = targets().filter(({ name }) => name === 'consent POST /ask')
      await using opened = new AsyncDisposableStack()
      const database = await openDatabase({ url: world().corridor.databaseUrl, poolMax: 1, log: silentLog })
      opened.defer(() => database.close())
      const written = async () => {
        const { count } = await database.one<{ count: string }>(sql`
          select count(*) as count from consent.audit_events
          where outcome = ${outcome} and (subject is null) = ${status === 401}`)
        return Number(count)
      }
      const before = await written()
      const make = (target: AttackedRoute) => sendWith(target, headers())
      expect(await world().tryOn('a decision that is not theirs', asking, make, () => [status])).toEqual([])
      await waitFor(async () => (await written()) > before, { what: 'the row of the audit', deadlineMs: 30_000 })
    })

    it('takes no form of the workspace that somebody else had opened', async () => {
      const forms = targets().filter(({ service, route }) => isOfWorkspace(service) && route.method === 'POST')
      const mark = await openerOf('clinician')
      const sentBy = (person: Person) => (target: AttackedRoute) => {
        const sent = sendWith(target, { cookie: cookieOf[person], 'content-type': formType })
        const filled = sent.body === undefined ? '' : Buffer.from(sent.body).toString()
        return { ...sent, body: `${filled}&${openedByField}=${mark}` }
      }
      expect(await world().tryOn('form of somebody else', forms, sentBy('admin'), () => [403])).toEqual([])
      for (const target of forms) {
        const codeFor = async (person: Person) => {
          const { answer } = await world().send('form of somebody else', target, sentBy(person)(target))
          return /"code":"(\w+)"/.exec(answer.text)?.[1]
        }
        expect(await codeFor('admin'), target.name).toBe('FORM_OF_ANOTHER')
        expect(await codeFor('clinician'), target.name).not.toBe('FORM_OF_ANOTHER')
      }
      expect(forms.length).toBeGreaterThan(15)
    })

    /** As the forms of their pages say it. */
    async function openerOf(person: Person): Promise<string> {
      const page = world().route('consent GET /patients/:patient/new')
      const sent = { path: '/patients/amina-diallo/new', headers: { cookie: cookieOf[person], accept: 'text/html' } }
      const { answer } = await world().send('form of somebody else', page, sent)
      return new RegExp(`name="${openedByField}" value="([\\w-]{43})"`).exec(answer.text)?.[1] ?? ''
    }

    it.each([
      ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
      ['another port of this host', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:6666' }],
      ['an older browser', { origin: 'https://evil.example' }],
      ['a page without an origin', { origin: 'null' }],
    ])('refuses forms that come from %s', async (_where, foreign) => {
      const forms = world().routes.filter(isSameOriginOnly)
      const make = (target: AttackedRoute) => sendWith(target, { cookie: cookieOf.admin, ...foreign })
      expect(await world().tryOn('form of another origin', forms, make, () => [403])).toEqual([])
      expect(forms.length).toBeGreaterThan(20)
    })
  })
}

const roleOf: Readonly<Record<Person, Role>> = {
  admin: 'ADMIN',
  clinician: 'CLINICIAN',
  clinician2: 'CLINICIAN',
  patient: 'PATIENT',
}

/** Refused, shown what is wrong with the request, or sent to where one signs in: never let in. */
const notLetIn = ({ route }: AttackedRoute) => {
  if (route.path === '/oauth2/authorize') return [400]
  // Whoever is not signed in is signed out already.
  if (route.path === '/logout') return [302, 303]
  return [401, 302]
}

/** Nor there, but what people write is given back to them. */
const givenBack = (target: AttackedRoute) => (307 in target.route.output ? [307] : notLetIn(target))

const isOfWorkspace = (service: string) => ['consent', 'referral', 'bridge'].includes(service)

const isSameOriginOnly = ({ route, door }: AttackedRoute) =>
  route.sameOrigin ?? (door === 'session' && route.method !== 'GET')

const sendWith = (target: AttackedRoute, headers: Readonly<Record<string, string>>) => {
  const good = goodRequest(target)
  return { ...good, headers: { ...good.headers, ...headers } }
}

const cookieNames = ['auth', 'consent_session', 'referral_session', 'bridge_session', 'immunization'].map(
  (name) => `corridor_${name}`,
)

/** Each cookie with the value that another service gave. */
function exchangedCookies(cookie: string, { service }: AttackedRoute): string {
  const values = cookie.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1))
  const own = cookie.split('; ').find((pair) => pair.startsWith(`corridor_${service}`))
  const another = values.find((value) => own === undefined || !own.endsWith(value))
  return cookieNames.map((name) => `${name}=${another}`).join('; ')
}
