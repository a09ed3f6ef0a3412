import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { keyFile, readKeys } from '../../packages/keys/key-files.ts'
import { makeRsaKey } from '../../packages/testkit/simulated-issuer.ts'
import { claimsFor } from '../../packages/testkit/token-claims.ts'
import { tokenAttacks, type TokenAttack } from '../../packages/testkit/token-attacks.ts'
import type { AttackedRoute } from './world/attacked-route.ts'
import { master, type World } from './world/world.ts'
import { slowMs } from './world/slow.ts'

/** Every route that asks for a token × every way to forge, damage or misuse one. */
export function tokensOnRoutes(world: () => World): void {
  describe('a route that asks for a token', { timeout: slowMs }, () => {
    it('lets nobody in without one', async () => {
      const { tokenRoutes } = world()
      expect(await world().tryOn('no token', tokenRoutes, () => ({}), unauthenticated)).toEqual([])
      expect(tokenRoutes.length).toBeGreaterThan(90)
    })

    it('says which kind of proof it wants, and nothing of what lies behind', async () => {
      const wrong: string[] = []
      for (const target of world().tokenRoutes) {
        const { answer } = await world().send('no token', target)
        if (!String(answer.headers['www-authenticate']).startsWith('Bearer realm="corridor"')) wrong.push(target.name)
      }
      expect(wrong).toEqual([])
    })

    it('lets the holder of every role and scope in, so that what follows tests the token and nothing else', async () => {
      const authorization = await world().bearer()
      const wrong: string[] = []
      for (const target of world().tokenRoutes) {
        // A stream does not end by itself.
        if (target.route.path.endsWith('/events')) continue
        const { answer, faults } = await world().send('a good token', target, { headers: { authorization } })
        if (answer.status === 401 || answer.status === 403)
          wrong.push(`${target.name}: ${answer.status} ${answer.text}`)
        wrong.push(...faults.map((fault) => `${target.name}: ${fault}`))
      }
      expect(wrong).toEqual([])
    })

    it('refuses every forged, damaged or misused token', async () => {
      const wrong: string[] = []
      for (const { name, token } of await attacksOn(world())) {
        const headers = { authorization: `Bearer ${token}` }
        // Nobody reads a header of a megabyte to its end.
        const expected = token.length > 100_000 ? () => [431] : unauthenticated
        const found = await world().tryOn('forged or misused token', world().tokenRoutes, () => ({ headers }), expected)
        wrong.push(...found.map((sentence) => `${name}: ${sentence}`))
      }
      expect(wrong).toEqual([])
    })

    it('refuses a token for the other audience of the platform', async () => {
      const { configuration } = world().corridor
      const forFhir = await world().bearer({ audience: configuration.fhir.url })
      const forPlatform = await world().bearer({ audience: configuration.auth.platformAudience })
      const other = ({ service }: AttackedRoute) => (service === 'fhir' || service === 'auth' ? forPlatform : forFhir)
      const make = (target: AttackedRoute) => ({ headers: { authorization: other(target) } })
      expect(await world().tryOn('audience of another service', world().tokenRoutes, make, unauthenticated)).toEqual([])
    })

    it('refuses a token that was revoked, at every service', async () => {
      const basic = `Basic ${Buffer.from('svc-admin:demo').toString('base64')}`
      const form = async (path: string, fields: Record<string, string>) => {
        const body = new URLSearchParams(fields)
        const url = `${world().origin('auth')}${path}`
        return (await fetch(url, { method: 'POST', headers: { authorization: basic }, body })).text()
      }
      const granted: unknown = JSON.parse(await form('/oauth2/token', { grant_type: 'client_credentials' }))
      const token = String(Object(granted)['access_token'])
      const make = () => ({ headers: { authorization: `Bearer ${token}` } })
      const statistics = world().routes.filter(({ name }) => name === 'consent GET /api/consent/admin/stats')
      expect(await world().tryOn('revoked token', statistics, make, () => [200])).toEqual([])
      await form('/oauth2/revoke', { token })
      // At once, where the services share a process.
      expect(await world().tryOn('revoked token', world().tokenRoutes, make, unauthenticated)).toEqual([])
    })

    it('refuses a token in the address, twice, in another scheme or in a cookie', async () => {
      const authorization = await world().bearer()
      const token = authorization.slice('Bearer '.length)
      const ways: Readonly<Record<string, (target: AttackedRoute) => object>> = {
        'token in the query': ({ route }) => ({ path: `${route.path.replaceAll(':', '')}?access_token=${token}` }),
        'two Authorization headers': () => ({ headers: { authorization: [authorization, authorization] } }),
        'Authorization with a comma': () => ({ headers: { authorization: `${authorization}, ${authorization}` } }),
        'token as Basic': () => ({
          headers: { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
        }),
        'token as DPoP': () => ({ headers: { authorization: `DPoP ${token}` } }),
        'token without a scheme': () => ({ headers: { authorization: token } }),
        'token in a cookie': () => ({ headers: { cookie: `access_token=${token}; authorization=${token}` } }),
        'token in another header': () => ({
          headers: { 'x-access-token': token, 'proxy-authorization': authorization },
        }),
        'session cookie in place of a token': () => ({ headers: { cookie: `corridor_auth=${'A'.repeat(43)}` } }),
      }
      // RFC 6750 section 3.1: two at once are a request that is wrong, whoever sends it.
      const refusal = (attack: string) => (attack === 'two Authorization headers' ? () => [400] : unauthenticated)
      for (const [attack, make] of Object.entries(ways)) {
        expect(await world().tryOn(attack, world().tokenRoutes, make, refusal(attack)), attack).toEqual([])
      }
    })
  })
}

const unauthenticated = () => [401]

async function attacksOn(world: World): Promise<readonly TokenAttack[]> {
  const { auth, fhir } = world.corridor.configuration
  const { privateKey, kid } = await signingKey(auth.keyDirectory)
  const audience = [fhir.url, auth.platformAudience]
  const defaults = { clock: systemClock, ids: systemIds, issuer: auth.url, audience }
  const now = systemClock.now()
  const issuer = { privateKey, kid, claims: claimsFor(master, defaults), foreignKey: await makeRsaKey(), now }
  const attacks = await tokenAttacks({ ...issuer, foreignUrl: 'http://127.0.0.1:1/jwks' })
  // The list goes to the very edge of what clocks may differ by; the run takes longer than that.
  const later = await tokenAttacks({ ...issuer, foreignUrl: '', now: new Date(now.getTime() + runMsMax) })
  return attacks.map((attack) =>
    ofTheFuture.has(attack.name) ? (later.find(({ name }) => name === attack.name) ?? attack) : attack,
  )
}

const runMsMax = 600_000
const ofTheFuture = new Set(['not valid yet', 'issued in the future'])

async function signingKey(directory: string): Promise<{ privateKey: KeyObject; kid: string }> {
  const [key] = await readKeys(directory)
  // Sound: key files hold JWKs.
  const jwk = JSON.parse(await readFile(keyFile(directory, key?.number ?? 1), 'utf8')) as JsonWebKey
  return { privateKey: createPrivateKey({ key: jwk, format: 'jwk' }), kid: key?.kid ?? '' }
}
