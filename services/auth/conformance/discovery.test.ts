import { createLocalJWKSet, importJWK, type JSONWebKeySet } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { smartConfiguration } from '../discovery/smart-configuration.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'

let auth: TestAuth
let smart: Record<string, unknown>
let response: Response
beforeAll(async () => {
  auth = await startTestAuth()
  response = await fetch(`${auth.url}/.well-known/smart-configuration`, { headers: { accept: 'text/html', origin } })
  smart = (await response.clone().json()) as Record<string, unknown>
})
afterAll(() => auth?.[Symbol.asyncDispose]())

const origin = 'https://any.example'

describe('the SMART configuration', () => {
  it('C01: is JSON whatever is accepted, and the FHIR store can serve the same document', () => {
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(smart).toEqual(structuredClone(smartConfiguration(auth.deps.settings)))
  })

  it('says what the specification lists, word for word and first', () => {
    expect(smart).toMatchObject({
      issuer: auth.url,
      authorization_endpoint: `${auth.url}/oauth2/authorize`,
      token_endpoint: `${auth.url}/oauth2/token`,
      jwks_uri: `${auth.url}/oauth2/jwks`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    })
    expect(Object.keys(smart).slice(0, 9).join(' ')).toBe(
      'authorization_endpoint token_endpoint token_endpoint_auth_methods_supported jwks_uri issuer scopes_supported response_types_supported capabilities code_challenge_methods_supported',
    )
    expect(listOf('token_endpoint_auth_methods_supported')[0]).toBe('none')
    expect(listOf('scopes_supported').slice(0, 11)).toEqual(
      'launch launch/patient openid fhirUser offline_access patient/Patient.rs patient/Condition.rs patient/MedicationRequest.rs patient/Observation.rs patient/AllergyIntolerance.rs patient/Encounter.rs'.split(
        ' ',
      ),
    )
    expect(listOf('capabilities').slice(0, 8)).toEqual(
      'launch-ehr launch-standalone client-public context-ehr-patient context-ehr-encounter permission-patient permission-user sso-openid-connect'.split(
        ' ',
      ),
    )
  })

  it('C02: names absolute endpoints', () => {
    for (const name of ['authorization_endpoint', 'token_endpoint'])
      expect(URL.canParse(String(smart[name]))).toBe(true)
  })

  it('C03: has capabilities that are all text', () => {
    expect(listOf('capabilities').every((one) => typeof one === 'string')).toBe(true)
  })

  it('C04: lists the grant types', () => {
    expect(smart['grant_types_supported']).toEqual(['authorization_code', 'refresh_token', 'client_credentials'])
  })

  it('C05: has S256 and not plain', () => {
    expect(listOf('code_challenge_methods_supported')).toEqual(['S256'])
  })

  it('C06: names issuer and key set, since it signs users in', () => {
    expect(listOf('capabilities')).toContain('sso-openid-connect')
    expect([typeof smart['issuer'], typeof smart['jwks_uri']]).toEqual(['string', 'string'])
  })

  it('C07: may be read by any page', () => {
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('C09, C10: has the capability sets of ONC g10', () => {
    const wanted =
      'launch-standalone launch-ehr client-public client-confidential-symmetric client-confidential-asymmetric sso-openid-connect context-standalone-patient context-ehr-patient context-ehr-encounter context-banner context-style permission-offline permission-patient permission-user authorize-post permission-v1 permission-v2'
    expect(listOf('capabilities')).toEqual(expect.arrayContaining(wanted.split(' ')))
  })

  it('C11: says how asymmetric clients prove themselves', () => {
    expect(listOf('token_endpoint_auth_methods_supported')).toContain('private_key_jwt')
    expect(listOf('token_endpoint_auth_signing_alg_values_supported')).toEqual(
      expect.arrayContaining(['RS384', 'ES384']),
    )
  })

  it('C12: names what can be done with tokens and grants, and who offers them', () => {
    expect(smart).toMatchObject({
      introspection_endpoint: `${auth.url}/oauth2/introspect`,
      revocation_endpoint: `${auth.url}/oauth2/revoke`,
      management_endpoint: `${auth.url}/account/apps`,
      user_access_brand_bundle: `${auth.url}/brands`,
      user_access_brand_identifier: { value: auth.url },
    })
  })

  it('C70: has a brand bundle whose organizations and endpoint belong together', async () => {
    const bundle = (await (await fetch(`${auth.url}/brands`)).json()) as Bundle
    const resources = bundle.entry.map(({ resource }) => resource)
    const urls = bundle.entry.map(({ fullUrl }) => fullUrl)
    expect(bundle).toMatchObject({ resourceType: 'Bundle', type: 'collection', timestamp: expect.any(String) })
    const organizations = resources.filter(({ resourceType }) => resourceType === 'Organization')
    expect(organizations).not.toEqual([])
    for (const { endpoint: ends } of organizations) expect(urls).toContain(ends?.[0]?.reference)
    const endpoint = resources.find(({ resourceType }) => resourceType === 'Endpoint')
    expect(endpoint?.address).toBe(auth.fhirBase)
    expect(urls).toContain(endpoint?.managingOrganization?.reference)
    expect(JSON.stringify(bundle)).toContain('Central Hospital')
    // The registry's contacts are nobody else's business.
    expect(JSON.stringify(bundle)).not.toContain('555 0100')
  })
})

describe('OpenID Connect discovery', () => {
  it('C41, C42: has everything that a relying party needs', async () => {
    const answer = await fetch(`${auth.url}/.well-known/openid-configuration`)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await answer.json()).toMatchObject({
      issuer: auth.url,
      authorization_endpoint: `${auth.url}/oauth2/authorize`,
      token_endpoint: `${auth.url}/oauth2/token`,
      jwks_uri: `${auth.url}/oauth2/jwks`,
      userinfo_endpoint: `${auth.url}/oauth2/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ui_locales_supported: ['en', 'fr', 'es', 'ar', 'sw'],
    })
  })

  it('is that of OAuth as well, under its own address, and says how clients prove themselves at each endpoint', async () => {
    const [openid, oauth] = await Promise.all(
      ['openid-configuration', 'oauth-authorization-server'].map(async (name) => {
        const answer = await fetch(`${auth.url}/.well-known/${name}`)
        return (await answer.json()) as Record<string, unknown>
      }),
    )
    expect(oauth).toEqual(openid)
    const proofs = ['client_secret_basic', 'client_secret_post', 'private_key_jwt']
    expect(oauth).toMatchObject({
      revocation_endpoint_auth_methods_supported: ['none', ...proofs],
      introspection_endpoint_auth_methods_supported: [...proofs, 'Bearer'],
    })
    // RFC 8414 wants these wherever private_key_jwt is one of the methods.
    for (const endpoint of ['token', 'revocation', 'introspection']) {
      expect(oauth?.[`${endpoint}_endpoint_auth_signing_alg_values_supported`]).toContain('ES384')
    }
  })

  it('C43: publishes keys that can be used and hold nothing private', async () => {
    const jwks = (await (await fetch(`${auth.url}/oauth2/jwks`)).json()) as JSONWebKeySet
    createLocalJWKSet(jwks)
    expect(jwks.keys.length).toBeGreaterThan(0)
    for (const key of jwks.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
      expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256' })
      await expect(importJWK(key)).resolves.toBeDefined()
    }
  })
})

const listOf = (name: string): readonly string[] => smart[name] as string[]

interface Bundle {
  readonly resourceType: string
  readonly entry: readonly {
    readonly fullUrl: string
    readonly resource: {
      readonly resourceType: string
      readonly address?: string
      readonly endpoint?: readonly { readonly reference: string }[]
      readonly managingOrganization?: { readonly reference: string }
    }
  }[]
}
