import { expect, it } from 'vitest'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'

it('pages of a registered app may call the FHIR store, and pages of nobody we know may not', async () => {
  await using corridor = await testCorridor({ services: ['auth', 'fhir'] })
  const authorization = await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.rs' })
  const allowedFor = async (origin: string) => {
    const answer = await fetch(`${corridor.url('fhir')}/Patient?_count=1`, { headers: { authorization, origin } })
    return answer.headers.get('access-control-allow-origin')
  }
  // Where the demo-app of the demo accounts lives.
  expect(await allowedFor('http://localhost:3000')).toBe('http://localhost:3000')
  expect(await allowedFor('https://elsewhere.example')).toBeNull()
})
