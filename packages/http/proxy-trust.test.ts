import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { proxyTrust, trustsNobody } from './proxy-trust.ts'
import { route } from './route.ts'
import { testServer } from './testing/test-server.ts'
import { anyone, loopback, type Who } from './who.ts'

const trust = proxyTrust(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])

describe('the client', () => {
  it.each([
    ['is the peer when nothing was forwarded', '10.0.0.1', undefined, '10.0.0.1'],
    ['is whom our proxy heard', '10.0.0.1', '203.0.113.5', '203.0.113.5'],
    ['is the rightmost hop that is not ours', '10.0.0.1', '198.51.100.1, 203.0.113.5, 10.9.9.9', '203.0.113.5'],
    ['is not what the client says of itself', '10.0.0.1', '127.0.0.1, 203.0.113.5', '203.0.113.5'],
    ['is the peer when a stranger forwards', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['is the peer when a neighbour of our proxy forwards', '192.0.2.8', '198.51.100.1', '192.0.2.8'],
    ['is the last that was an address', '10.0.0.1', '203.0.113.5, unknown, 10.0.0.2', '10.0.0.2'],
    ['is the outermost of ours when all are', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['may come with a port', '10.0.0.1', '203.0.113.5:4711', '203.0.113.5'],
    ['may be IPv6, in brackets', 'fd00::1', '[2001:db8::5]:4711', '2001:db8::5'],
    ['is the same on an IPv6 socket', '::ffff:10.0.0.1', '::ffff:203.0.113.5', '203.0.113.5'],
  ])('%s', (_what, peer, forwardedFor, client) => {
    expect(trust.clientOf(peer, forwardedFor)).toBe(client)
  })

  it('is the peer when nobody is trusted, whatever is said', () => {
    expect(trustsNobody.clientOf('127.0.0.1', '203.0.113.5')).toBe('127.0.0.1')
    expect(trustsNobody.schemeOf('127.0.0.1', 'https')).toBeUndefined()
  })
})

it.each([
  ['10.0.0.1', 'https', 'https'],
  ['10.0.0.1', 'https, http', 'http'],
  ['10.0.0.1', 'gopher', undefined],
  ['203.0.113.9', 'https', undefined],
])('the scheme that %s gives as %s is %s', (peer, said, scheme) => {
  expect(trust.schemeOf(peer, said)).toBe(scheme)
})

it.each(['proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0.0/', 'fd00::/129', ''])(
  'a range cannot be %j',
  (range) => {
    expect(() => proxyTrust([range])).toThrow('must be an address or a range')
  },
)

describe('at the edge', () => {
  const Seen = Type.Object({ peer: Type.String(), isSecure: Type.Boolean() })
  const seen = (path: string, who: Who) =>
    route({
      ...{ method: 'GET', path, who, summary: 'Says whom the server sees', output: { 200: Seen } },
      run: ({ request: { peer, isSecure } }) => ({ peer, isSecure }),
    })
  const forwarded = { 'x-forwarded-for': '198.51.100.1, 203.0.113.5', 'x-forwarded-proto': 'https' }
  const get = async (url: string, headers = {}) => (await fetch(url, { headers })).json()

  it('a header of an untrusted peer is ignored, that of a trusted one is believed', async () => {
    await using untrusting = await testServer([seen('/seen', anyone)])
    await using trusting = await testServer([seen('/seen', anyone)], { proxies: proxyTrust(['127.0.0.1']) })
    expect(await get(`${untrusting.url}/seen`, forwarded)).toEqual({ peer: '127.0.0.1', isSecure: false })
    expect(await get(`${trusting.url}/seen`, forwarded)).toEqual({ peer: '203.0.113.5', isSecure: true })
    expect(await get(`${trusting.url}/seen`)).toEqual({ peer: '127.0.0.1', isSecure: false })
  })

  it('what is open to this machine only stays closed to whoever comes through a proxy', async () => {
    await using server = await testServer([seen('/here', loopback)], { proxies: proxyTrust(['127.0.0.1']) })
    const through = (client: string) => fetch(`${server.url}/here`, { headers: { 'x-forwarded-for': client } })
    expect([(await through('203.0.113.5')).status, (await through('127.0.0.1')).status]).toEqual([404, 404])
  })
})
