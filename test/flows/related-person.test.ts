import { expect, it } from 'vitest'
import { systemIds } from '../../packages/clock/ids.ts'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'
import { challengeOf } from '../../services/auth/authorize/code-challenge.ts'
import { demoUsers } from '../../services/auth/demo-accounts.ts'
import { TestBrowser } from '../../services/auth/testing/test-browser.ts'

it('a mother lets an app into the record of her child, and into no other', async () => {
  const passwordHash = demoUsers()[0]?.passwordHash
  const mother = { username: 'mother', fhirUser: 'RelatedPerson/mother-x', roles: ['PATIENT'], passwordHash }
  await using corridor = await testCorridor({
    services: ['auth', 'fhir'],
    settings: { 'auth.users': JSON.stringify([mother]) },
  })
  const [auth, fhir] = [corridor.url('auth'), corridor.url('fhir')]
  const write = (type: string, id: string, rest: object) =>
    demoToken(auth).then((token) =>
      fetch(`${fhir}/${type}/${id}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/fhir+json' },
        body: JSON.stringify({ resourceType: type, id, ...rest }),
      }),
    )
  for (const id of ['child-x', 'stranger-x']) expect((await write('Patient', id, {})).status).toBe(201)
  const relation = { patient: { reference: 'Patient/child-x' } }
  expect((await write('RelatedPerson', 'mother-x', relation)).status).toBe(201)

  const browser = new TestBrowser(auth)
  expect((await browser.signIn('mother')).status).toBe(303)
  const verifier = systemIds.secret(72)
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'demo-app', redirect_uri: 'http://localhost:3000/callback', state: 's' },
    ...{ scope: 'launch/patient openid fhirUser patient/*.rs', aud: fhir },
    ...{ code_challenge: challengeOf(verifier), code_challenge_method: 'S256' },
  })
  const answer = await browser.get(`/oauth2/authorize?${query}`)
  const code = new URL(answer.headers.get('location') ?? '', auth).searchParams.get('code') ?? ''
  const form = {
    ...{ grant_type: 'authorization_code', code, client_id: 'demo-app', code_verifier: verifier },
    redirect_uri: 'http://localhost:3000/callback',
  }
  const exchanged = await fetch(`${auth}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  const tokens = (await exchanged.json()) as { readonly patient: string; readonly access_token: string }
  expect(tokens.patient).toBe('child-x')
  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    return (await fetch(`${fhir}/${path}`, { headers })).status
  }
  expect([await read('Patient/child-x'), await read('RelatedPerson/mother-x')]).toEqual([200, 200])
  expect([403, 404]).toContain(await read('Patient/stranger-x'))
})
