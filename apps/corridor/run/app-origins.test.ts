import { expect, it } from 'vitest'
import { MovedClock } from '../../../packages/testkit/moved-clock.ts'
import { testCorridor } from '../../../packages/testkit/test-corridor.ts'

const app = 'http://localhost:3000'

it('pages of a registered app may call a store that runs by itself, also while the authorization server is away', async () => {
  const clock = new MovedClock()
  await using server = await testCorridor({ services: ['auth'] })
  await using store = await testCorridor({ services: ['fhir'], clock, settings: { 'auth.url': server.url('auth') } })
  const allowed = async (origin: string) => {
    const { status, headers } = await fetch(`${store.url('fhir')}/Patient`, { headers: { origin } })
    return [status, headers.get('access-control-allow-origin')]
  }
  expect(await allowed(app)).toEqual([401, app])
  expect(await allowed('https://stranger.example')).toEqual([401, null])
  await server.stop()
  clock.forward(11)
  expect(await allowed(app)).toEqual([401, app])
  expect(await allowed('https://another.example')).toEqual([401, null])
})
