import { describe, expect, it, beforeAll, afterAll } from 'vitest'
import { formType } from '../../packages/http/body.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import type { TokenWish } from '../../packages/testkit/tokens.ts'
import { textsIn, withText } from './hostile-text.ts'
import { declaredIn, poisonedFields, poisonIn, poisonsIn } from './poisoned-fields.ts'
import type { AttackedRoute } from './world/attacked-route.ts'
import { goodRequest } from './world/good-request.ts'
import { amara, baraka, OwnObjects } from './world/own-objects.ts'
import { signedInPeople } from './world/people.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

interface GoodCall {
  readonly path?: string
  readonly as: TokenWish
  readonly body: object
}

/** A call that succeeds, for every route that keeps what a JSON body says. */
const goodCalls: Readonly<Record<string, (own: OwnObjects) => Promise<GoodCall>>> = {
  'consent POST /api/consent': async () => ({
    as: amara,
    body: { patientId: 'Patient/amina-diallo', provisionType: 'permit' },
  }),
  'consent PUT /api/consent/:id': async (own) => ({
    path: `/api/consent/${(await own.consent()).id}`,
    as: amara,
    body: { note: 'changed' },
  }),
  'referral POST /api/referrals': async () => ({
    as: amara,
    body: {
      patientId: 'Patient/amina-diallo',
      requesterId: 'Practitioner/dr-amara',
      receivingFacilityClientId: 'lakeside-clinic',
    },
  }),
  'referral PATCH /api/referrals/:id/tasks/:taskId': async (own) => {
    const { id, taskId } = await own.sentReferral()
    return { path: `/api/referrals/${id}/tasks/${taskId}`, as: baraka, body: { status: 'RECEIVED' } }
  },
  'referral POST /api/referrals/:id/reroute': async (own) => ({
    path: `/api/referrals/${await own.rejectedReferral()}/reroute`,
    as: amara,
    body: { receivingFacilityClientId: 'lakeside-clinic' },
  }),
  'bridge POST /api/unmapped-codes/:id/map': async (own) => ({
    path: `/api/unmapped-codes/${await own.unmappedCode()}/map`,
    as: { role: 'SYSTEM' },
    body: { code: '718-7' },
  }),
  'fhir POST /api/patient-index/resolve': async () => ({
    as: { role: 'SYSTEM' },
    body: { patients: [{ resourceType: 'Patient', name: [{ family: 'Assigned' }], birthDate: '1990-01-01' }] },
  }),
}

/** What PostgreSQL does not keep, what has no UTF-8, what turns a line round, and what is endless. */
const oddTexts = ['\u0000', 'a\u0000b', '\ud800', 'a\udfffb', '\u202eabc', '\ufeff', '\uffff', 'x'.repeat(70_000)]

/** The same in a form. Failed logins are counted, so that the login gets only the first of them. */
const oddBytes = ['a%00b', '%00', '%ff', '%ed%a0%80']

/** Fields that belong to the server, in bodies of every route. */
export function massAssignment(world: () => World): void {
  describe('fields that belong to the server', { timeout: slowMs }, () => {
    let database: Database
    beforeAll(async () => {
      database = await openDatabase({ url: world().corridor.databaseUrl, poolMax: 1, log: silentLog })
    })
    afterAll(() => database.close())
    const targets = () =>
      world().routes.filter(({ route }) => route.input?.body !== undefined && route.readsOwnInput !== true)
    const takesJson = ({ route }: AttackedRoute) => route.accepts === undefined

    it('are known for every route that keeps a body', () => {
      expect(
        targets()
          .filter(takesJson)
          .map(({ name }) => name)
          .sort(),
      ).toEqual(Object.keys(goodCalls).sort())
    })

    it.each(Object.entries(goodCalls))('%s ignores them', async (name, makeCall) => {
      const target = targets().find((one) => one.name === name)
      expect(target).toBeDefined()
      if (target === undefined) return
      const poison = await poisonedFields(target, database)
      expect(Object.keys(poison).length).toBeGreaterThan(3)
      const own = new OwnObjects(world())
      const { path, as, body } = await makeCall(own)
      const headers = { authorization: await world().corridor.bearerFor(as), 'content-type': 'application/json' }
      const { answer, faults } = await world().send('fields of the server', target, {
        ...(path === undefined ? {} : { path }),
        headers,
        body: JSON.stringify({ ...poison, ...body }),
      })
      expect([Math.floor(answer.status / 100), faults], answer.text).toEqual([2, []])
      expect(poisonsIn(answer.text)).toEqual([])
      expect(await poisonIn(target.service, database)).toEqual([])
    })

    it.each(Object.entries(goodCalls))('%s takes or refuses every odd text in its own', async (name, makeCall) => {
      const target = targets().find((one) => one.name === name)
      if (target === undefined) return
      const { path, as, body } = await makeCall(new OwnObjects(world()))
      const headers = { authorization: await world().corridor.bearerFor(as), 'content-type': 'application/json' }
      const wrong: string[] = []
      for (const place of textsIn(body)) {
        for (const odd of oddTexts) {
          const sent = {
            headers,
            body: JSON.stringify(withText(body, place, odd)),
            ...(path === undefined ? {} : { path }),
          }
          const { faults } = await world().send('odd text in a body', target, sent)
          wrong.push(...faults.map((fault) => `${place.join('.')} ${JSON.stringify(odd)}: ${fault}`))
        }
      }
      expect(wrong).toEqual([])
    })

    it('a form takes or refuses every odd text', async () => {
      const forms = targets().filter((one) => !takesJson(one) && one.route.path !== '/logout')
      const headers = { 'content-type': formType, cookie: (await world().people()).admin }
      const wrong: string[] = []
      for (const target of forms) {
        const { path, body = '' } = goodRequest(target)
        for (const name of declaredIn(target.route.input?.body)) {
          for (const odd of target.route.path === '/login' ? oddBytes.slice(0, 1) : oddBytes) {
            const others = [...new URLSearchParams(String(body))].filter(([field]) => field !== name)
            const sent = `${new URLSearchParams(others)}&${name}=${odd}`
            const { faults } = await world().send('odd text in a form', target, { path, headers, body: sent })
            wrong.push(...faults.map((fault) => `${target.name} ${name}=${odd}: ${fault}`))
          }
        }
      }
      expect(wrong).toEqual([])
    })

    it('FHIR takes or refuses every odd text and number', async () => {
      const create = world().routes.find(({ name }) => name === 'fhir POST /fhir/:type')
      expect(create).toBeDefined()
      if (create === undefined) return
      const resource = {
        ...{ resourceType: 'Patient', name: [{ family: 'x', given: ['x'] }], birthDate: '1990-01-01', language: 'x' },
        ...{ identifier: [{ system: 'urn:x', value: 'x' }], address: [{ city: 'x' }], text: { status: 'x', div: 'x' } },
      }
      const headers = { authorization: await world().bearer(), 'content-type': 'application/fhir+json' }
      const bodies = textsIn(resource).flatMap((place) =>
        oddTexts.map((odd) => JSON.stringify(withText(resource, place, odd))),
      )
      const numbers = ['1e400', '-1e400', '1e-400', '0.1e1000000', '9'.repeat(400)].map(
        (number) => `{"resourceType":"Patient","multipleBirthInteger":${number}}`,
      )
      const wrong: string[] = []
      for (const body of [...bodies, ...numbers]) {
        const { faults } = await world().send('odd text in a body', create, { headers, body })
        wrong.push(...faults.map((fault) => `${body.slice(0, 200)}: ${fault}`))
      }
      expect(wrong).toEqual([])
    })

    it('in a form change nothing either', async () => {
      // A login of its own: one of the forms ends it.
      const cookie = (await signedInPeople(world())).admin
      for (const target of targets().filter((one) => !takesJson(one))) {
        const good = goodRequest(target)
        const poison = await poisonedFields(target, database)
        const extra = new URLSearchParams(Object.entries(poison).map(([key, value]) => [key, String(value)]))
        const headers = { 'content-type': formType, cookie, authorization: await world().bearer() }
        const body = `${String(good.body)}&${extra}`
        const { faults } = await world().send('fields of the server', target, { path: good.path, headers, body })
        expect(faults, target.name).toEqual([])
      }
      for (const service of ['auth', 'consent', 'referral', 'bridge'] as const) {
        expect(await poisonIn(service, database)).toEqual([])
      }
    })

    it('of a FHIR resource are set by the store', async () => {
      const create = world().routes.find(({ name }) => name === 'fhir POST /fhir/:type')
      expect(create).toBeDefined()
      if (create === undefined) return
      const resource = {
        ...{ resourceType: 'Patient', id: 'chosen-by-the-caller', name: [{ family: 'Assigned' }] },
        meta: { versionId: '99', lastUpdated: '1971-02-03T04:05:06Z' },
      }
      const headers = { authorization: await world().bearer(), 'content-type': 'application/fhir+json' }
      const { answer } = await world().send('fields of the server', create, { headers, body: JSON.stringify(resource) })
      expect(answer.status).toBe(201)
      const made = JSON.parse(answer.text) as { id: string; meta: { versionId: string; lastUpdated: string } }
      expect([made.id === resource.id, made.meta.versionId]).toEqual([false, '1'])
      expect(made.meta.lastUpdated).not.toContain('1971')
    })
  })
}
