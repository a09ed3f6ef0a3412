import { expect, it } from 'vitest'
import { systemIds } from '../../packages/clock/ids.ts'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'
import { challengeOf } from '../../services/auth/authorize/code-challenge.ts'
import { demoUsers } from '../../services/auth/demo-accounts.ts'
import { TestBrowser } from '../../services/auth/testing/test-browser.ts'
import { AppVisitor } from '../../services/immunization/testing/app-visitor.ts'
import { amara, leastDraft, referralApi } from '../../services/referral/testing/referral-api.ts'

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

it('who is related to somebody sees on their pages nothing of the stranger who has the same id', async () => {
  const passwordHash = demoUsers()[0]?.passwordHash
  const mother = { username: 'mother', fhirUser: 'RelatedPerson/kofi-mensah', roles: ['PATIENT'], passwordHash }
  await using corridor = await testCorridor({
    services: ['auth', 'fhir', 'consent', 'referral'],
    settings: { 'auth.users': JSON.stringify([mother]) },
  })
  // In the demo he has opted out of everything.
  const draft = { ...leastDraft, patientId: 'Patient/kofi-mensah', referralDisplay: 'Heart clinic' }
  expect((await referralApi(corridor)('POST /api/referrals', amara, draft)).status).toBe(201)
  const visitor = new AppVisitor(corridor)
  await visitor.signIn('mother')
  const pageOf = async (service: 'consent' | 'referral') =>
    (await visitor.follow(await visitor.get(`${corridor.url(service)}/`))).text()
  const [consents, referrals] = [await pageOf('consent'), await pageOf('referral')]
  expect(consents).toContain('Your consents')
  expect(consents).not.toContain('id="consent-')
  // Nor is she told that nothing was agreed to: that of her child is somewhere else.
  expect(consents).toContain('This account has no health record of its own')
  expect(consents).not.toContain('You have not agreed to anything')
  expect(referrals).toContain('There are no referrals for you')
  expect(referrals).not.toContain('Heart clinic')
})
