import { beforeAll, describe, expect, it } from 'vitest'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { propertiesOf } from '../../packages/http/input.ts'
import { disguised, smuggled } from './raw-requests.ts'
import { pathOf, type AttackedRoute } from './world/attacked-route.ts'
import { goodRequest } from './world/good-request.ts'
import { rawExchange } from './world/raw-exchange.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

/** Bytes that are hardly HTTP, and headers that lie. */
export function headersOnRoutes(world: () => World): void {
  /** What each service answers to these bytes. */
  const said = (bytes: string) =>
    Promise.all(
      serviceNames.map(async (service) => {
        const answer = await rawExchange(world().origin(service), bytes.replaceAll('HOST', 'localhost'))
        return { service, ...answer }
      }),
    )

  describe('bytes on a connection of any service', { timeout: slowMs }, () => {
    it.each(smuggled.map((raw) => [raw.name, raw] as const))('with %s are one bad request', async (_name, raw) => {
      for (const { service, statuses, text } of await said(raw.bytes)) {
        // Where there is no such address, that may be said before the body is looked at.
        const allowed = service === 'auth' ? raw.allowed : [...raw.allowed, 404]
        expect([service, ...statuses.filter((status) => !allowed.includes(status))]).toEqual([service])
        expect(statuses.length).toBeLessThanOrEqual(1)
        expect(text).not.toContain(`corridor-${service}`)
      }
    })

    it.each(disguised.map((raw) => [raw.name, raw] as const))('with %s lead nowhere else', async (_name, raw) => {
      for (const { service, statuses, text } of await said(raw.bytes)) {
        expect([service, ...statuses.filter((status) => !raw.allowed.includes(status))]).toEqual([service])
        expect(text).not.toMatch(/corridor-(auth|fhir|consent|referral|bridge|immunization)|totalConsents|root:/)
      }
    })

    it.each([
      ['a header of 20 kB', `GET /docs HTTP/1.1\r\nHost: HOST\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, [431]],
      ['3,000 headers', `GET /docs HTTP/1.1\r\nHost: HOST\r\n${'X-A: b\r\n'.repeat(3_000)}\r\n`, [431]],
      ['an address of 10 kB', `GET /${'a'.repeat(10_000)} HTTP/1.1\r\nHost: HOST\r\n\r\n`, [404, 414, 431]],
      ['a cookie of 20 kB', `GET / HTTP/1.1\r\nHost: HOST\r\nCookie: a=${'a'.repeat(20_000)}\r\n\r\n`, [431]],
    ])('with %s are refused', async (_name, bytes, allowed) => {
      for (const { service, statuses } of await said(bytes)) {
        expect([service, ...statuses.filter((status) => !allowed.includes(status))]).toEqual([service])
      }
    })

    it('in the middle of which another request hides are answered by one refusal', async () => {
      const [first] = smuggled
      for (const { service, statuses } of await said(first?.bytes ?? '')) {
        expect([service, ...statuses]).toEqual([service, 400])
      }
    })
  })

  describe('a header that lies', { timeout: slowMs }, () => {
    let credentials: Readonly<Record<string, string>>
    beforeAll(async () => {
      credentials = { authorization: await world().bearer(), cookie: (await world().people()).admin }
    })
    const isAnswered = ({ route }: AttackedRoute) => route.method === 'GET' && !route.path.endsWith('/events')

    it('about where we are shows up in no answer', async () => {
      const lie = {
        ...{ host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-port': '666' },
        ...{ 'x-forwarded-proto': 'https', forwarded: 'for=127.0.0.1;host=evil.example;proto=https' },
        ...{ referer: 'https://evil.example/', origin: 'https://evil.example' },
      }
      const wrong: string[] = []
      for (const target of world().routes.filter(isAnswered)) {
        const good = goodRequest(target)
        const headers = { ...good.headers, ...credentials, ...lie }
        const { answer, faults } = await world().send('header that lies', target, { ...good, headers })
        const told = `${JSON.stringify(answer.headers)}${answer.text}`
        if (told.includes('evil.example')) wrong.push(`${target.name} repeats it`)
        wrong.push(...faults.map((fault) => `${target.name}: ${fault}`))
      }
      expect(wrong).toEqual([])
    })

    it.each(['127.0.0.1', '::1', '127.0.0.1, 127.0.0.1', 'localhost'])(
      'about the address %s opens nothing that is for this machine',
      async (address) => {
        const metrics = world().routes.filter(({ route }) => route.path === '/actuator/prometheus')
        const lies = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']
        for (const name of lies) {
          const make = () => ({ headers: { [name]: address } })
          expect(await world().tryOn('claim to be this machine', metrics, make, () => [401]), name).toEqual([])
        }
      },
    )

    it('never gets a header of its own into an answer', async () => {
      const wrong: string[] = []
      for (const target of world().routes.filter(isAnswered)) {
        for (const name of Object.keys(propertiesOf(target.route.input?.query ?? {}))) {
          for (const broken of ['%0d%0aX-Injected:%201', '%0aX-Injected:%201', '%E5%98%8A%E5%98%8DX-Injected:%201']) {
            const path = `${pathOf(target)}?${name}=a${broken}`
            const { answer, faults } = await world().send('line break in a value', target, {
              path,
              headers: credentials,
            })
            if ('x-injected' in answer.headers) wrong.push(`${target.name} ${name}`)
            wrong.push(...faults.map((fault) => `${target.name} ${name}: ${fault}`))
          }
        }
      }
      expect(wrong).toEqual([])
    })

    it.each(['<script>', 'a b', 'a'.repeat(5_000), "'; drop", '../../x', 'ü'])(
      'about the request id (%.12s) is not repeated',
      async (id) => {
        const open = world().routes.filter(({ route }) => route.path === '/actuator/info')
        expect(open).toHaveLength(serviceNames.length)
        for (const target of open) {
          const { answer } = await world().send('strange request id', target, { headers: { 'x-request-id': id } })
          expect(answer.headers['x-request-id']).not.toBe(id)
        }
      },
    )
  })
}
