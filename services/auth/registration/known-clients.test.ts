import { afterAll, beforeAll, expect, it } from 'vitest'
import { SimulatedClock } from '../../../packages/clock/simulated-clock.ts'
import { addClient, disableClient, renewSecret } from '../cli/clients.ts'
import type { CliDeps } from '../cli/cli-deps.ts'
import { basic, redirectUri, SmartApp } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'

const clock = new SimulatedClock()
let auth: TestAuth
let deps: CliDeps
beforeAll(async () => {
  auth = await startTestAuth({ clock })
  const settings = {
    auditToFhir: false,
    allowsLoopbackKeySets: false,
    operator: 'os:tester',
    passwordCost: { memoryKilobytes: 64, passes: 1 },
  }
  deps = { ...auth.deps, mode: 'production', ...settings }
})
afterAll(() => auth?.[Symbol.asyncDispose]())

const service = { grantTypes: ['client_credentials'], authMethods: ['client_secret_basic'], scope: 'system/*.rs' }

const tokenStatus = async (clientId: string, secret: string) =>
  (await new SmartApp(auth).token({ grant_type: 'client_credentials' }, { authorization: basic(clientId, secret) }))
    .status

it('a client that is disabled gets no token two seconds later', async () => {
  const { secret = '' } = await addClient({ ...service, clientId: 'closing' }, deps)
  expect(await tokenStatus('closing', secret)).toBe(200)
  await disableClient('closing', deps)
  await clock.advance(2_000)
  expect(await tokenStatus('closing', secret)).toBe(401)
})

it('a secret that was replaced serves two seconds longer at most, the new one at once', async () => {
  const { secret: old = '' } = await addClient({ ...service, clientId: 'renewing' }, deps)
  expect(await tokenStatus('renewing', old)).toBe(200)
  const { secret } = await renewSecret({ clientId: 'renewing', overlapSeconds: 0 }, deps)
  expect(await tokenStatus('renewing', secret)).toBe(200)
  await clock.advance(2_000)
  expect([await tokenStatus('renewing', old), await tokenStatus('renewing', secret)]).toEqual([401, 200])
})

it('a code and a refresh token of a client that is disabled are refused at once', async () => {
  const declared = { redirectUris: [redirectUri], scope: 'openid offline_access' }
  await addClient({ ...declared, clientId: 'leaving' }, deps)
  const app = new SmartApp(auth, 'leaving')
  const tokens = await app.tokens()
  const code = await app.code()
  await disableClient('leaving', deps)
  expect([(await app.exchange(code)).status, (await app.refresh(tokens.refresh_token)).status]).toEqual([400, 400])
})
