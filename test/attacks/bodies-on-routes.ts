import { describe, expect, it, beforeAll } from 'vitest'
import { formType, jsonType } from '../../packages/http/body.ts'
import { defaultLimits } from '../../packages/http/listen/limits.ts'
import { brokenBodies, type BrokenBody } from './broken-bodies.ts'
import type { AttackedRoute } from './world/attacked-route.ts'
import type { Sent } from './world/client.ts'
import { goodRequest } from './world/good-request.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

interface BodyChange {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Every route that takes a body × bodies that are broken, hostile, huge or of another kind. */
export function bodiesOnRoutes(world: () => World): void {
  describe('a route that takes a body', { timeout: slowMs }, () => {
    let credentials: Readonly<Record<string, string>>
    const targets = () => world().routes.filter(({ route }) => route.input?.body !== undefined)
    const takesJson = ({ route }: AttackedRoute) => !(route.accepts ?? [jsonType]).includes(formType)
    beforeAll(async () => {
      credentials = { authorization: await world().bearer(), cookie: (await world().people()).admin }
    })
    const sendWith = (target: AttackedRoute, change: BodyChange): Partial<Sent> => {
      const good = goodRequest(target)
      return { ...good, ...change, headers: { ...good.headers, ...credentials, ...change.headers } }
    }
    // Its parameters are all optional: to send none is to ask for everything, here of a patient who never was.
    const needsNone = ({ route }: AttackedRoute) => route.path.endsWith('/$everything')
    const tryBody = (attack: string, on: readonly AttackedRoute[], { body }: Pick<BrokenBody, 'body'>) =>
      world().tryOn(
        attack,
        on,
        (target) => sendWith(target, { body }),
        (target) => (body.length === 0 && needsNone(target) ? [404] : [400]),
      )

    it('knows the caller before it reads the body', async () => {
      const closed = targets().filter(
        ({ door, service }) => door === 'token' || (door === 'session' && service !== 'auth'),
      )
      const make = (target: AttackedRoute) => ({ ...goodRequest(target), body: '{"broken' })
      expect(await world().tryOn('broken body of a stranger', closed, make, () => [401])).toEqual([])
    })

    it.each(brokenBodies.map((broken) => [broken.name, broken] as const))('refuses %s', async (_name, broken) => {
      expect(await tryBody('broken JSON', targets().filter(takesJson), broken)).toEqual([])
    })

    it.each<[string, (type: string) => Readonly<Record<string, string>>]>([
      ['no type', () => ({ 'content-type': '' })],
      ['text/plain', () => ({ 'content-type': 'text/plain' })],
      ['XML', () => ({ 'content-type': 'application/xml' })],
      ['multipart', () => ({ 'content-type': 'multipart/form-data; boundary=x' })],
      ['a type that only begins alike', () => ({ 'content-type': 'application/jsonp' })],
      ['two types', () => ({ 'content-type': 'application/json, text/plain' })],
      ['another charset', (type) => ({ 'content-type': `${type}; charset=utf-16` })],
      ['packed bytes', () => ({ 'content-encoding': 'gzip' })],
      ['packed twice', () => ({ 'content-encoding': 'identity, br' })],
    ])('refuses %s', async (name, headersOf) => {
      const make = (target: AttackedRoute) => {
        const { 'content-type': type = '' } = goodRequest(target).headers
        return sendWith(target, { headers: headersOf(type), body: '{"a":1}' })
      }
      expect(await world().tryOn('body of another kind', targets(), make, () => [415]), name).toEqual([])
    })

    it('refuses one that is too large, said or found', async () => {
      const limitOf = ({ route }: AttackedRoute) =>
        route.limits?.bodyBytesMax ?? world().corridor.configuration.http.bodyBytesMax
      const said = (target: AttackedRoute) =>
        sendWith(target, { headers: { 'content-length': String(limitOf(target) + 1), connection: 'close' }, body: '{' })
      expect(await world().tryOn('body said to be too large', targets(), said, () => [413])).toEqual([])
      // Those that take more take it by the same rule; thirty megabytes for each of them would show no more.
      const small = targets().filter((target) => limitOf(target) <= world().corridor.configuration.http.bodyBytesMax)
      const found = (target: AttackedRoute) =>
        sendWith(target, {
          headers: { 'transfer-encoding': 'chunked', connection: 'close' },
          body: ' '.repeat(limitOf(target) + 1),
        })
      expect(await world().tryOn('body found to be too large', small, found, () => [413])).toEqual([])
    })

    it('refuses a form with more fields than its route takes', async () => {
      const forms = targets().filter((target) => !takesJson(target) && target.route.readsOwnInput !== true)
      const tooMany = (target: AttackedRoute) => {
        const length = (target.route.limits?.formFieldsMax ?? defaultLimits.formFieldsMax) + 1
        return sendWith(target, { body: Array.from({ length }, (_, at) => `field${at}=x`).join('&') })
      }
      expect(await world().tryOn('form of too many fields', forms, tooMany, () => [400])).toEqual([])
      const twice = forms.flatMap((target) => {
        const [field] = Object.keys(Object(target.route.input?.body).properties ?? {})
        return field === undefined ? [] : [{ target, body: `${field}=a&${field}=b` }]
      })
      expect(twice.length).toBeGreaterThan(20)
      for (const { target, body: doubled } of twice) {
        expect(await tryBody('form field twice', [target], { body: doubled })).toEqual([])
      }
    })
  })
}
