import { generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '../../../packages/clock/ids.ts'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { Fault } from '../../../packages/faults/fault.ts'
import type { IncomingRequest } from '../../../packages/http/request.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { kitMigrations, migrate } from '../../../packages/sql/migrate/migrate.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { templateDatabase, testDatabase } from '../../../packages/testkit/test-database.ts'
import { secretHashOf } from '../registration/client-secret.ts'
import { KnownClients } from '../registration/known-clients.ts'
import { digestOf } from '../secrets/digest.ts'
import type { AuthSettings } from '../settings.ts'
import { saveClient, type NewClient } from '../store/clients.ts'
import { assertionUses } from './assertion-uses.ts'
import { authenticateClient, type ClientFields } from './authenticate-client.ts'
import type { AssertionDeps } from './client-assertion.ts'
import { ClientKeys } from './client-keys.ts'

// Written out: it is RFC 7523's, not ours to change.
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const issuer = 'https://auth.example'
const keyUri = 'https://app.example/jwks'
const clock = new SimulatedClock()
const nowSeconds = clock.now().getTime() / 1_000
const world = new AsyncDisposableStack()
let database: Database
let deps: AssertionDeps

const es384 = keyPair('ec', 'P-384')
const es256 = keyPair('ec', 'P-256')
const rsa = keyPair('rsa')
const stranger = keyPair('ec', 'P-384')
const unusable = { kty: 'EC', crv: 'P-384', x: 'AA', y: 'AA' }

beforeAll(async () => {
  const template = await templateDatabase('auth', async (url) => {
    await migrate(url, [kitMigrations, { owner: 'auth', folder: new URL('../migrations/', import.meta.url) }])
  })
  const { url } = world.use(await testDatabase({ template }))
  const opening = openDatabase({ url, poolMax: 2, log: silentLog })
  database = world.adopt(await opening, (open) => open.close())
  const named = {
    ...{ es384: es384.jwk, es256: es256.jwk, rsa: rsa.jwk, broken: unusable },
    ...{ signing: { ...es384.jwk, use: 'sig', alg: 'ES384' }, sealing: { ...es384.jwk, use: 'enc' } },
    ...{ other: { ...es384.jwk, alg: 'ES256' }, private: { ...es384.jwk, d: 'AA' } },
  }
  const keys = Object.entries(named).map(([kid, jwk]) => ({ ...jwk, kid }))
  const twins = [es384, stranger].map(({ jwk }) => ({ ...jwk, kid: 'twin' }))
  const clients = [
    clientWith({ clientId: 'public', authMethods: ['none'] }),
    clientWith({ clientId: 'basic', authMethods: ['client_secret_basic'], secret: 's3:cret +%zz' }),
    clientWith({ clientId: 'pair', authMethods: ['client_secret_basic'], secret: 'pairs' }),
    clientWith({ clientId: 'base64', authMethods: ['client_secret_basic'], secret: 'kQ+9/x%41=' }),
    clientWith({ clientId: 'post', authMethods: ['client_secret_post'], secret: 'posted' }),
    clientWith({ clientId: 'keys', authMethods: ['private_key_jwt'], jwks: { keys: [...keys, ...twins] } }),
    clientWith({ clientId: 'remote', authMethods: ['private_key_jwt'], jwksUri: keyUri }),
  ]
  for (const client of clients) await saveClient(client, clock.now(), database)
  const fetchKeySet = async () => ({ document: { keys: [{ ...es384.jwk, kid: 'es384' }] }, maxAgeSeconds: 60 })
  deps = {
    // Sound: of the settings only the issuer is looked at.
    settings: { issuer } as AuthSettings,
    ...{ clock, clientKeys: new ClientKeys({ fetchKeySet, clock }), assertionUses: assertionUses(database) },
    knownClients: new KnownClients({ database, clock }),
  }
})
afterAll(() => world.disposeAsync())

describe('a client is known', () => {
  it.each<[string, string | undefined, ClientFields, string | undefined]>([
    ['by nothing at all', undefined, {}, undefined],
    ['by its id alone where it is public', undefined, { client_id: 'public' }, 'public'],
    ['by its id in the header where it is public', basic('public', ''), {}, 'public'],
    ['by its secret in the header', basic('basic', 's3%3Acret+%2B%25zz'), {}, 'basic'],
    ['by its secret as it is', basic('basic', 's3:cret +%zz'), {}, 'basic'],
    ['by a secret of base64, encoded', basic('base64', 'kQ%2B9%2Fx%2541%3D'), {}, 'base64'],
    ['by a secret of base64 as it is', basic('base64', 'kQ+9/x%41='), {}, 'base64'],
    ['under a scheme in small letters', basic('basic', 's3:cret +%zz').replace('Basic', 'basic'), {}, 'basic'],
    ['with spaces around', `  ${basic('basic', 's3:cret +%zz').replace(' ', '   ')} `, {}, 'basic'],
    ['in the header and by its id', basic('basic', 's3:cret +%zz'), { client_id: 'basic' }, 'basic'],
    ['by its secret in the form', undefined, { client_id: 'post', client_secret: 'posted' }, 'post'],
    ['in the form, beside another scheme', 'Bearer x', { client_id: 'public' }, 'public'],
    ['in the form, beside a scheme that ends alike', `X${basic('basic', 'x')}`, { client_id: 'public' }, 'public'],
    ['in the form, beside two words', 'Basic YTpi x', { client_id: 'public' }, 'public'],
  ])('%s', async (_how, authorization, fields, expected) => {
    expect(await who(authorization, fields)).toBe(expected)
  })

  it.each<[string, string | undefined, ClientFields, string]>([
    ['a wrong secret', basic('basic', 'wrong'), {}, 'unauthenticated invalid_client'],
    ['no secret where one is owed', basic('basic', ''), {}, 'unauthenticated invalid_client'],
    ['a secret of a public client', basic('public', 'x'), {}, 'unauthenticated invalid_client'],
    ['an unknown id', basic('nobody', 'x'), {}, 'unauthenticated invalid_client'],
    ['an unknown id without secret', basic('nobody', ''), {}, 'unauthenticated invalid_client'],
    ['no colon', `Basic ${Buffer.from('basic').toString('base64')}`, {}, 'unauthenticated invalid_client'],
    [
      'no colon, where the id begins the secret',
      `Basic ${Buffer.from('pairs').toString('base64')}`,
      {},
      'unauthenticated',
    ],
    ['an id that no text of a database is', basic('ba\0sic', 'x'), {}, 'unauthenticated invalid_client'],
    ['nothing before the colon', basic('', 'x'), {}, 'unauthenticated invalid_client'],
    ['two ids', basic('basic', 's3:cret +%zz'), { client_id: 'post' }, 'unauthenticated invalid_client'],
    ['the secret of the form in the header', basic('post', 'posted'), {}, 'unauthenticated invalid_client'],
    ['a wrong secret in the form', undefined, secretOf('post', 'wrong'), 'incorrect invalid_client'],
    ['an unknown id in the form', undefined, secretOf('nobody', 'x'), 'incorrect invalid_client'],
    ['the secret of the header in the form', undefined, secretOf('basic', 's3:cret +%zz'), 'incorrect invalid_client'],
    ['an unknown id alone', undefined, { client_id: 'nobody' }, 'incorrect invalid_client'],
    ['no proof where one is owed', undefined, { client_id: 'post' }, 'incorrect invalid_client'],
    ['header and form', basic('basic', 's3:cret +%zz'), secretOf('basic', 'x'), 'incorrect invalid_request'],
    ['header and assertion', basic('basic', 'x'), { client_assertion: 'x' }, 'incorrect invalid_request'],
    [
      'form and assertion',
      undefined,
      { ...secretOf('post', 'posted'), client_assertion: 'x' },
      'incorrect invalid_request',
    ],
    ['a type and no assertion', undefined, { client_assertion_type: assertionType }, 'unauthenticated invalid_client'],
    ['an assertion and no type', undefined, { client_assertion: 'x' }, 'unauthenticated invalid_client'],
  ])('by nothing with %s', async (_what, authorization, fields, expected) => {
    expect(await who(authorization, fields)).toMatch(new RegExp(`^${expected}`))
  })

  it.each<[string, string | undefined, ClientFields, string]>([
    ['a secret in the header', basic('post', 'posted'), {}, 'for client_secret_post, not for client_secret_basic.'],
    ['a secret in the form', undefined, secretOf('basic', 'x'), 'for client_secret_basic, not for client_secret_post.'],
    ['a secret of a public client', undefined, secretOf('public', 'x'), 'as a public one: it sends its client_id'],
    ['nothing', undefined, { client_id: 'keys' }, 'must prove itself by private_key_jwt.'],
  ])('is told by what it proves itself who sends %s', async (_what, authorization, fields, why) => {
    expect(await who(authorization, fields)).toContain(why)
  })

  it('is told the same who has a key and is registered for a secret; of a wrong secret nothing is told', async () => {
    expect(await byAssertion({ client: 'basic' })).toContain('for client_secret_basic, not for private_key_jwt.')
    expect(await who(basic('basic', 'wrong'), {})).toContain('The client is unknown or its secret is wrong.')
    expect(await who(basic('nobody', 'wrong'), {})).toContain('The client is unknown or its secret is wrong.')
  })

  it('is told to send the type with an assertion', async () => {
    const assertion = await assertionWith({})
    for (const fields of [{ client_assertion: assertion }, { client_assertion_type: assertionType }]) {
      expect(await who(undefined, fields)).toContain('Send client_assertion with client_assertion_type')
    }
  })
})

describe('an assertion proves a client', () => {
  it.each<[string, Wish]>([
    ['signed with ES384', {}],
    ['signed with ES256', { kid: 'es256', alg: 'ES256', key: es256.privateKey }],
    ['signed with RS384', { kid: 'rsa', alg: 'RS384', key: rsa.privateKey }],
    ['signed with RS256', { kid: 'rsa', alg: 'RS256', key: rsa.privateKey }],
    ['with a key that says what it is for', { kid: 'signing' }],
    ['for the issuer', { claims: { aud: issuer } }],
    ['for the issuer among others', { claims: { aud: ['https://x.example', issuer] } }],
    ['that has ended within the leeway', { claims: { exp: nowSeconds - 29 } }],
    ['that ends at the limit', { claims: { exp: nowSeconds + 330 } }],
    ['with the longest id', { claims: { jti: 'j'.repeat(255) } }],
    ['with a key that it publishes', { client: 'remote', header: { jku: keyUri } }],
  ])('%s', async (_how, wish) => {
    expect(await byAssertion(wish)).toBe(wish.client ?? 'keys')
  })

  it.each<[string, Wish, string]>([
    ['no iss', { claims: { iss: undefined } }, 'must have the client_id as iss and as sub'],
    [
      'neither iss nor sub',
      { claims: { iss: undefined, sub: undefined } },
      'must have the client_id as iss and as sub',
    ],
    ['another sub', { claims: { sub: 'public' } }, 'must have the client_id as iss and as sub'],
    ['an unknown client', { client: 'nobody' }, 'is of an unknown client'],
    ['one whose id no text of a database is', { client: 'ke\0ys' }, 'is of an unknown client'],
    ['a jku that is not registered', { header: { jku: keyUri } }, 'names a jku that is not registered'],
    ['another jku than is registered', { client: 'remote', header: { jku: `${keyUri}2` } }, 'names a jku'],
    ['another algorithm', { kid: 'rsa', alg: 'PS256', key: rsa.privateKey }, 'must be signed with RS384, ES384, RS256'],
    ['no kid', { header: { kid: undefined } }, 'must name its key in kid'],
    ['a kid that is a number', { header: { kid: 7 } }, 'must name its key in kid'],
    ['an unknown kid', { kid: 'unknown' }, 'does not name exactly one key'],
    ['a kid of two keys', { kid: 'twin' }, 'does not name exactly one key'],
    ['a key for encryption', { kid: 'sealing' }, 'does not name exactly one key'],
    ['a key for another algorithm', { kid: 'other' }, 'does not name exactly one key'],
    ['a private key', { kid: 'private' }, 'does not name exactly one key'],
    ['a key of another type', { kid: 'rsa' }, 'does not name exactly one key'],
    ['a key that is none', { kid: 'broken' }, 'names a key that cannot be used'],
    ['the signature of another', { key: stranger.privateKey }, 'is not signed with the key that it names.'],
    [
      'the signature of another, whatever it says',
      { key: stranger.privateKey, claims: { aud: 'https://x.example', exp: nowSeconds - 3_600, jti: undefined } },
      'is not signed with the key that it names.',
    ],
    ['another audience', { claims: { aud: `${issuer}/oauth2/tokens` } }, `must have the aud ${issuer}/oauth2/token.`],
    ['a key on another curve', { kid: 'es256' }, 'cannot be verified: check that its alg is one for its key.'],
    ['no audience', { claims: { aud: undefined } }, `must have the aud ${issuer}/oauth2/token.`],
    ['no end', { claims: { exp: undefined } }, 'must have the claim exp.'],
    ['an end that is none', { claims: { exp: 'soon' } }, 'has a claim exp that cannot be read.'],
    [
      'an end before the leeway',
      { claims: { exp: nowSeconds - 30 } },
      `has expired: here it is ${clock.now().toISOString()}.`,
    ],
    [
      'a beginning after the leeway',
      { claims: { nbf: nowSeconds + 31 } },
      `is not valid yet: here it is ${clock.now().toISOString()}.`,
    ],
    ['an end beyond five minutes', { claims: { exp: nowSeconds + 331 } }, 'must expire within five minutes'],
    ['no id', { claims: { jti: undefined } }, 'must have the claim jti.'],
    ['an empty id', { claims: { jti: '' } }, 'must have a jti'],
    ['too long an id', { claims: { jti: 'j'.repeat(256) } }, 'must have a jti'],
    ['a number as id', { claims: { jti: 7 } }, 'must have a jti'],
  ])('not with %s', async (_what, wish, why) => {
    expect(await byAssertion(wish)).toContain(`unauthenticated invalid_client The client assertion ${why}`)
  })

  it('not when it is none', async () => {
    const fields = { client_assertion: 'x.y.z', client_assertion_type: assertionType }
    expect(await who(undefined, fields)).toContain('The client assertion is not a signed JWT.')
  })

  it('not under the id of another', async () => {
    expect(await byAssertion({}, { client_id: 'keys' })).toBe('keys')
    expect(await byAssertion({}, { client_id: 'public' })).toBe(
      'unauthenticated invalid_client The client assertion is of another client.',
    )
  })

  it('not twice, until it has ended; another client may have the same id', async () => {
    const wish = { claims: { jti: 'once' } }
    expect(await byAssertion(wish)).toBe('keys')
    expect(await byAssertion(wish)).toContain('The client assertion was used before.')
    expect(await byAssertion({ ...wish, client: 'remote' })).toBe('remote')
  })

  it('and is remembered as long as it could come again, the leeway included', async () => {
    expect(await byAssertion({ claims: { jti: 'remembered', exp: nowSeconds + 100 } })).toBe('keys')
    const row = await database.one(sql`
      select client_id as "clientId", expires_at as "expiresAt" from auth.client_assertions
      where jti_hash = ${digestOf('remembered')}`)
    expect(row).toEqual({ clientId: 'keys', expiresAt: new Date((nowSeconds + 130) * 1_000) })
  })
})

async function who(authorization: string | undefined, fields: ClientFields): Promise<string | undefined> {
  // Sound: of a request only the header is looked at.
  const request = { headers: { authorization } } as unknown as IncomingRequest
  try {
    return (await authenticateClient(request, fields, deps))?.clientId
  } catch (thrown) {
    if (thrown instanceof Fault) return `${thrown.kind} ${thrown.code} ${thrown.shown}`
    throw thrown
  }
}

interface Wish {
  readonly client?: string
  readonly alg?: string
  readonly kid?: string
  readonly key?: KeyObject
  readonly header?: Readonly<Record<string, unknown>>
  readonly claims?: Readonly<Record<string, unknown>>
}

async function byAssertion(wish: Wish, fields: ClientFields = {}): Promise<string | undefined> {
  return who(undefined, {
    ...fields,
    client_assertion: await assertionWith(wish),
    client_assertion_type: assertionType,
  })
}

function assertionWith({ client = 'keys', alg = 'ES384', kid = 'es384', ...wish }: Wish): Promise<string> {
  const claims = { iss: client, sub: client, aud: `${issuer}/oauth2/token`, exp: nowSeconds + 240 }
  return new SignJWT({ ...claims, jti: systemIds.uuid(), ...wish.claims })
    .setProtectedHeader({ alg, kid, ...wish.header })
    .sign(wish.key ?? es384.privateKey)
}

function basic(clientId: string, secret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
}

function secretOf(clientId: string, secret: string): ClientFields {
  return { client_id: clientId, client_secret: secret }
}

function keyPair(
  type: 'ec' | 'rsa',
  namedCurve = 'P-384',
): { readonly jwk: JsonWebKey; readonly privateKey: KeyObject } {
  const pair =
    type === 'ec' ? generateKeyPairSync('ec', { namedCurve }) : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { jwk: pair.publicKey.export({ format: 'jwk' }), privateKey: pair.privateKey }
}

function clientWith(given: Partial<NewClient> & { readonly clientId: string; readonly secret?: string }): NewClient {
  const { secret, ...rest } = given
  const secretHash = secret === undefined ? null : secretHashOf(secret, { mode: 'demo', clientId: given.clientId })
  return {
    ...{ clientName: given.clientId, redirectUris: [], launchUri: null, grantTypes: ['client_credentials'] },
    ...{ authMethods: ['none'], secretHash, jwks: null, jwksUri: null, scope: '', roles: [], organisation: null },
    ...{ isFirstParty: false, allowedOrigins: [], requiresConsent: false, patientPicker: 'never', contacts: [] },
    ...{ accessTokenSeconds: null, refreshTokenSeconds: null, logoUri: null, policyUri: null, tosUri: null },
    source: 'configuration',
    ...rest,
  }
}
