import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceName } from '../../apps/corridor/service-names.ts'
import { refusalOf } from '../../services/bridge/outbound/allowed-endpoints.ts'
import { hostileAddresses } from './hostile-addresses.ts'
import type { Sent } from './world/client.ts'
import type { World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

interface Sink {
  readonly service: ServiceName
  readonly sent: (address: string) => Pick<Sent, 'method' | 'path' | 'body'>
}

const encoded = encodeURIComponent
const get = (service: ServiceName, path: (address: string) => string): Sink => ({
  service,
  sent: (address) => ({ method: 'GET', path: path(address) }),
})
const post = (service: ServiceName, path: string, body: (address: string) => object): Sink => ({
  service,
  sent: (address) => ({ method: 'POST', path, body: JSON.stringify(body(address)) }),
})
const patient = 'Patient/amina-diallo'

/** Every place in which a caller can name an address. */
const sinks: Readonly<Record<string, Sink>> = {
  'iss of a launch': get('immunization', (address) => `/launch?iss=${encoded(address)}&launch=x`),
  'iss of a callback': get('immunization', (address) => `/callback?code=x&state=x&iss=${encoded(address)}`),
  'where to go after signing in': get('consent', (address) => `/sign-in?to=${encoded(address)}`),
  'request_uri of an authorization': get(
    'auth',
    (address) => `/oauth2/authorize?client_id=demo-app&request_uri=${encoded(address)}`,
  ),
  'client_id that is an address': get('auth', (address) => `/oauth2/authorize?client_id=${encoded(address)}`),
  'redirect_uri of an authorization': get(
    'auth',
    (address) => `/oauth2/authorize?client_id=demo-app&redirect_uri=${encoded(address)}`,
  ),
  'aud of an authorization': get('auth', (address) => `/oauth2/authorize?client_id=demo-app&aud=${encoded(address)}`),
  'url of a value set': get('fhir', (address) => `/fhir/ValueSet/$expand?url=${encoded(address)}`),
  'system of a code': get('fhir', (address) => `/fhir/CodeSystem/$lookup?code=x&system=${encoded(address)}`),
  'a chained reference': get('fhir', (address) => `/fhir/Observation?subject=${encoded(address)}`),
  'profile to validate by': post('fhir', '/fhir/Patient/$validate', (address) => ({
    ...{ resourceType: 'Patient', meta: { profile: [address] } },
  })),
  'a reference of a resource': post('fhir', '/fhir/Patient', (address) => ({
    ...{ resourceType: 'Patient', managingOrganization: { reference: address } },
  })),
  'an attachment': post('fhir', '/fhir/DocumentReference', (address) => ({
    ...{ resourceType: 'DocumentReference', status: 'current', content: [{ attachment: { url: address } }] },
  })),
  'a link of a bundle': post('fhir', '/fhir', (address) => ({
    ...{ resourceType: 'Bundle', type: 'batch', link: [{ relation: 'next', url: address }] },
    entry: [{ fullUrl: address, request: { method: 'GET', url: address } }],
  })),
  'information of a referral': post('referral', '/api/referrals', (address) => ({
    ...{ patientId: patient, requesterId: 'Practitioner/dr-amara', receivingFacilityClientId: 'lakeside-clinic' },
    supportingInfo: [address],
  })),
  'the actor of a consent': post('consent', '/api/consent', (address) => ({
    ...{ patientId: patient, provisionType: 'permit', actorReference: address },
  })),
}

/** Addresses that callers name × every way to write one that should not be called. */
export function addressesFromOutside(world: () => World): void {
  describe('an address from outside', { timeout: slowMs }, () => {
    let listener: Server
    let port: number
    let calls = 0
    let headers: Readonly<Record<string, string>>
    beforeAll(async () => {
      listener = createServer((_request, response) => {
        calls++
        response.end('{}')
      })
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
      // Sound: it listens on a TCP port, so its address is one.
      port = (listener.address() as AddressInfo).port
      const cookie = (await world().people()).admin
      headers = { authorization: await world().bearer(), cookie, 'content-type': 'application/json' }
    })
    afterAll(() => listener.close())

    it.each(Object.entries(sinks))('as %s is never called and leads nobody away', async (_name, { service, sent }) => {
      const target = world().routes.find((one) => one.service === service)
      expect(target).toBeDefined()
      if (target === undefined) return
      const before = calls
      const wrong: string[] = []
      for (const address of hostileAddresses(port)) {
        const { answer, faults } = await world().send('address from outside', target, { headers, ...sent(address) })
        wrong.push(...faults.map((fault) => `${address}: ${fault}`))
        const { location = '' } = answer.headers
        if (String(location).startsWith(address)) wrong.push(`${address}: leads there`)
      }
      expect(wrong).toEqual([])
      expect(calls).toBe(before)
    })

    it('leads nobody away after they have signed in', async () => {
      // The route that `landing` goes through: gone, there would be nothing to lead away from.
      expect(world().route('consent GET /sign-in')).toBeDefined()
      for (const address of hostileAddresses(port)) {
        const place = await landing(world(), headers['cookie'] ?? '', address)
        expect(place, address).toMatch(/^\/(?![/\\])/)
      }
    })

    it('of a Subscription is refused unless its host is named', () => {
      const allowed = { allowedHosts: ['pharmacy.example'], allowsLoopback: false, hasSink: false }
      for (const address of [
        ...hostileAddresses(port),
        ...hostileAddresses(port).map((url) => url.replace('http', 'mllp')),
      ]) {
        expect(refusalOf(address, allowed), address).toMatch(/\w/)
      }
    })
  })
}

/** Where a browser that is signed in at the authorization server lands when it begins with that address. */
async function landing(world: World, cookie: string, address: string): Promise<string> {
  const origin = world.origin('consent')
  const hop = (url: string, cookies: string) =>
    fetch(url, { redirect: 'manual', headers: { cookie: cookies, accept: 'text/html' } })
  const begun = await hop(`${origin}/sign-in?to=${encoded(address)}`, cookie)
  const attempt = begun.headers.getSetCookie().map((set) => set.split(';', 1)[0])
  const both = [cookie, ...attempt].join('; ')
  const authorized = await hop(begun.headers.get('location') ?? '', both)
  const finished = await hop(authorized.headers.get('location') ?? '', both)
  return finished.headers.get('location') ?? ''
}
