import { describe, expect, it, beforeAll, afterAll } from 'vitest'
import { formType } from '../../packages/http/body.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase, type Database } from '../../packages/sql/database.ts'
import { poisonedFields, poisonIn, poisonsIn } from './poisoned-fields.ts'
import { goodCalls, routesWithBody, takesJson } from './world/good-calls.ts'
import { goodRequest } from './world/good-request.ts'
import { OwnObjects } from './world/own-objects.ts'
import { signedInPeople } from './world/people.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

/** Fields that belong to the server, in bodies of every route. */
export function massAssignment(world: () => World): void {
  describe('fields that belong to the server', { timeout: slowMs }, () => {
    let database: Database
    beforeAll(async () => {
      database = await openDatabase({ url: world().corridor.databaseUrl, poolMax: 1, log: silentLog })
    })
    afterAll(() => database.close())

    it('are known for every route that keeps a body', () => {
      expect(
        routesWithBody(world())
          .filter(takesJson)
          .map(({ name }) => name)
          .sort(),
      ).toEqual(Object.keys(goodCalls).sort())
    })

    it.each(Object.entries(goodCalls))('%s ignores them', async (name, makeCall) => {
      const target = world().route(name)
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
      for (const target of routesWithBody(world()).filter((one) => !takesJson(one))) {
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
      const create = world().route('fhir POST /fhir/:type')
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
