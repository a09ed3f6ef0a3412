import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { AppVisitor } from './testing/app-visitor.ts'

let corridor: TestCorridor

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'immunization'] })
}, 60_000)
afterAll(() => corridor?.[Symbol.asyncDispose]())

describe('a launch from the portal', () => {
  it('ends on the dashboard of the patient', async () => {
    const visitor = new AppVisitor(corridor)
    const response = await visitor.launch()
    expect(response.status).toBe(200)
    expect(new URL(response.url).pathname).toBe('/dashboard')
    expect(await response.text()).toContain('Amina Diallo')
  })

  it('gives the API what the specification names', async () => {
    const visitor = new AppVisitor(corridor)
    await visitor.launch()
    expect(await visitor.json('/api/session')).toMatchObject({
      patientId: 'amina-diallo',
      clinicianName: 'Dr Amara Okafor',
      needPatientBanner: true,
    })
  })
})
