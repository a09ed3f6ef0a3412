import { expect, it } from 'vitest'
import { testCorridor } from '../../../packages/testkit/test-corridor.ts'
import { testIssuer } from '../../../packages/testkit/tokens.ts'

it('a service that never learnt what was revoked takes no token, but for its health and metrics', async () => {
  await using issuer = await testIssuer()
  await using corridor = await testCorridor({ services: ['referral'], settings: { 'auth.url': issuer.url } })
  const { platformAudience } = corridor.configuration.auth
  const authorization = await issuer.bearerFor({ role: 'ADMIN', audience: platformAudience })
  const ask = (path: string) =>
    fetch(`${corridor.url('referral')}${path}`, { headers: { authorization, 'x-forwarded-for': '203.0.113.9' } })

  const refused = await ask('/api/referrals/1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.json()).toMatchObject({
    detail: 'Whether the access token was revoked cannot be found out at the moment. Try again in a moment.',
  })
  expect(issuer.jwksFetches).toBe(1)
  expect((await ask('/actuator/prometheus')).status).toBe(200)
  expect((await ask('/actuator/health')).status).toBe(200)
})
