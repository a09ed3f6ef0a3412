import { describe, expect, it, beforeAll, afterAll } from 'vitest'
import { formType } from '../../packages/http/body.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import type { TokenWish } from '../../packages/testkit/tokens.ts'
import { poisonedFields, poisonIn, poisonsIn } from './poisoned-fields.ts'
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
