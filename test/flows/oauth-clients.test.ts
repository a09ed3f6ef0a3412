import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { answerOf, redirectUri } from '../../services/auth/testing/smart-app.ts'
import { TestBrowser } from '../../services/auth/testing/test-browser.ts'

let corridor: TestCorridor
let issuer: URL
beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth'] })
  issuer = new URL(corridor.url('auth'))
})
afterAll(() => corridor?.[Symbol.asyncDispose]())

const scope = 'openid fhirUser profile offline_access user/Patient.rs'

/** What the user's browser does between the app's request and its callback: goes there, signs in, is sent back. */
async function callbackFor(request: URL): Promise<URL> {
  const browser = new TestBrowser(issuer.origin)
  const toLogin = await browser.get(request.pathname + request.search)
  const waiting = answerOf(toLogin).get('request') ?? ''
  const answer = await browser.follow(await browser.signIn('clinician', 'demo', { request: waiting }))
  return new URL(answer.headers.get('location') ?? '')
}

describe('openid-client', () => {
  const insecure = { execute: [openid.allowInsecureRequests] }
  const clients = [
    { clientId: 'demo-app', proof: 'none', authentication: openid.None() },
    { clientId: 'demo-confidential', proof: 'client_secret_basic', authentication: openid.ClientSecretBasic('demo') },
    { clientId: 'demo-confidential', proof: 'client_secret_post', authentication: openid.ClientSecretPost('demo') },
  ]

  it.each(clients)('signs $clientId ($proof) in, refreshes and revokes', async ({ clientId, authentication }) => {
    const server = await openid.discovery(issuer, clientId, undefined, authentication, insecure)
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const checks = { pkceCodeVerifier, expectedState: openid.randomState(), expectedNonce: openid.randomNonce() }
    const request = openid.buildAuthorizationUrl(server, {
      ...{ redirect_uri: redirectUri, scope, aud: corridor.url('fhir') },
      ...{ state: checks.expectedState, nonce: checks.expectedNonce },
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    const tokens = await openid.authorizationCodeGrant(server, await callbackFor(request), {
      ...checks,
      idTokenExpected: true,
    })
    expect(tokens.claims()).toMatchObject({ sub: 'dr-amara', nonce: checks.expectedNonce })
    expect(await openid.fetchUserInfo(server, tokens.access_token, 'dr-amara')).toMatchObject({
      name: 'Dr Amara Okafor',
    })

    const refreshed = await openid.refreshTokenGrant(server, tokens.refresh_token ?? '')
    expect(refreshed).toMatchObject({ scope: tokens.scope, token_type: 'bearer' })
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token)

    await openid.tokenRevocation(server, refreshed.refresh_token ?? '')
    await expect(openid.refreshTokenGrant(server, refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    // The issuer itself needs no time to hear of it.
    await expect(openid.fetchUserInfo(server, refreshed.access_token, 'dr-amara')).rejects.toMatchObject({
      status: 401,
    })
  })

  it('gets a token for a service account, introspects it, and sees that it is revoked', async () => {
    const authentication = openid.ClientSecretBasic('demo')
    const server = await openid.discovery(issuer, 'svc-bridge', undefined, authentication, insecure)
    const { access_token: token } = await openid.clientCredentialsGrant(server, { scope: 'system/Patient.rs' })
    expect(await openid.tokenIntrospection(server, token)).toMatchObject({
      ...{ active: true, client_id: 'svc-bridge', scope: 'system/Patient.rs', sub: 'client:svc-bridge' },
    })
    await openid.tokenRevocation(server, token)
    expect(await openid.tokenIntrospection(server, token)).toEqual({ active: false })
  })

  it('hears 401 with a challenge for a wrong secret', async () => {
    const authentication = openid.ClientSecretBasic('wrong')
    const server = await openid.discovery(issuer, 'svc-bridge', undefined, authentication, insecure)
    await expect(openid.clientCredentialsGrant(server)).rejects.toMatchObject({
      status: 401,
      // The challenge that RFC 6749 section 5.2 wants for a client that tried Basic.
      cause: [{ scheme: 'basic' }],
    })
  })
})

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }
  const client: oauth.Client = { client_id: 'demo-confidential' }
  const authentication = oauth.ClientSecretBasic('demo')
  const discover = async (algorithm: 'oidc' | 'oauth2' = 'oidc') =>
    oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { ...insecure, algorithm }))

  async function authorized(server: oauth.AuthorizationServer) {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const nonce = oauth.generateRandomNonce()
    const request = new URL(server.authorization_endpoint ?? '')
    request.search = new URLSearchParams({
      ...{ response_type: 'code', client_id: client.client_id, redirect_uri: redirectUri, scope },
      ...{ aud: corridor.url('fhir'), state, nonce, code_challenge_method: 'S256' },
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    }).toString()
    return { callback: await callbackFor(request), verifier, state, nonce }
  }

  it('goes from discovery through a checked code exchange to userinfo, refresh, introspection, revocation', async () => {
    const server = await discover()
    const { callback, verifier, state, nonce } = await authorized(server)
    const answer = oauth.validateAuthResponse(server, client, callback, state)
    const exchanged = await oauth.authorizationCodeGrantRequest(
      ...([server, client, authentication, answer, redirectUri, verifier, insecure] as const),
    )
    const checks = { expectedNonce: nonce, requireIdToken: true }
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchanged, checks)
    await oauth.validateApplicationLevelSignature(server, exchanged, insecure)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    expect(claims).toMatchObject({ sub: 'dr-amara', fhirUser: `${corridor.url('fhir')}/Practitioner/dr-amara` })

    const told = await oauth.userInfoRequest(server, client, tokens.access_token, insecure)
    expect(await oauth.processUserInfoResponse(server, client, 'dr-amara', told)).toMatchObject({ sub: 'dr-amara' })

    const renewed = await oauth.refreshTokenGrantRequest(
      ...([server, client, authentication, tokens.refresh_token ?? '', insecure] as const),
    )
    const { access_token: token, refresh_token: refreshToken = '' } = await oauth.processRefreshTokenResponse(
      ...([server, client, renewed] as const),
    )

    const introspect = async () => {
      const response = await oauth.introspectionRequest(server, client, authentication, token, insecure)
      return oauth.processIntrospectionResponse(server, client, response)
    }
    expect(await introspect()).toMatchObject({ active: true, client_id: 'demo-confidential', sub: 'dr-amara' })
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, refreshToken, insecure),
    )
    expect(await introspect()).toEqual({ active: false })
  })

  it('refuses the answer of another issuer, an answer without one, and one to a question it did not ask', async () => {
    const server = await discover()
    const { callback, state } = await authorized(server)
    const changed = (change: (answer: URLSearchParams) => void) => {
      const answer = new URL(callback)
      change(answer.searchParams)
      return () => oauth.validateAuthResponse(server, client, answer, state)
    }
    expect(changed(() => {})).not.toThrow()
    expect(changed((answer) => answer.set('iss', 'https://elsewhere.example'))).toThrow(/"iss"/)
    expect(changed((answer) => answer.delete('iss'))).toThrow(/"iss".*missing/)
    expect(changed((answer) => answer.set('state', 'another'))).toThrow(/"state"/)
  })

  it.each(['oidc', 'oauth2'] as const)('gets a token for a service account, found by %s', async (algorithm) => {
    const server = await discover(algorithm)
    const service: oauth.Client = { client_id: 'svc-monitor' }
    const wish = new URLSearchParams({ scope: 'system/*.read' })
    const response = await oauth.clientCredentialsGrantRequest(server, service, authentication, wish, insecure)
    const tokens = await oauth.processClientCredentialsResponse(server, service, response)
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'system/*.read', expires_in: 300 })
    expect(tokens.refresh_token).toBeUndefined()
  })
})
