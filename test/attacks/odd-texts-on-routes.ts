import { describe, expect, it } from 'vitest'
import { formType } from '../../packages/http/body.ts'
import { textsIn, withText } from './hostile-text.ts'
import { declaredIn } from './poisoned-fields.ts'
import { goodCalls, routesWithBody, takesJson } from './world/good-calls.ts'
import { goodRequest } from './world/good-request.ts'
import { OwnObjects } from './world/own-objects.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

/** What PostgreSQL does not keep, what has no UTF-8, what turns a line round, and what is endless. */
const oddTexts = ['\u0000', 'a\u0000b', '\ud800', 'a\udfffb', '\u202eabc', '\ufeff', '\uffff', 'x'.repeat(70_000)]

/** The same in a form. Failed logins are counted, so that the login gets only the first of them. */
const oddBytes = ['a%00b', '%00', '%ff', '%ed%a0%80']

/** Texts that no database or page expects, in every field that takes a text. */
export function oddTextsOnRoutes(world: () => World): void {
  describe('odd texts', { timeout: slowMs }, () => {
    it.each(Object.entries(goodCalls))('are taken or refused by %s in every field', async (name, makeCall) => {
      const target = world().route(name)
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

    it('are taken or refused by every form', async () => {
      const forms = routesWithBody(world()).filter((one) => !takesJson(one) && one.route.path !== '/logout')
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

    it('are taken or refused by FHIR, and so are odd numbers', async () => {
      const create = world().route('fhir POST /fhir/:type')
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
  })
}
