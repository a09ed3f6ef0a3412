import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { latinIn } from '../../packages/views/words/testing/latin-in.ts'
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

it('what goes wrong is told in the language of whoever reads, and where nobody but programs and staff reads in English', async () => {
  const headers = { accept: 'text/html', 'accept-language': 'ar-EG', cookie: 'corridor_language=ar' }
  const app = await (await fetch(`${corridor.url('immunization')}/nowhere`, { headers })).text()
  expect(app).toMatch(/^<!doctype html><html lang="ar" dir="rtl">[^]*<h1>لا يوجد شيء هنا<\/h1>/)
  expect(latinIn(app)).toEqual([])
  const store = await (await fetch(`${corridor.url('fhir')}/nowhere`, { headers })).text()
  expect(store).toMatch(/^<!doctype html><html lang="en"|"resourceType":"OperationOutcome"/)
})
