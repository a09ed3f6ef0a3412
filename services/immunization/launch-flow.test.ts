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

describe('a login that ends at the portal', () => {
  const statusOf = async (visitor: AppVisitor, path: string) => (await visitor.get(path)).status
  const isOver = async (visitor: AppVisitor) => {
    expect((await visitor.get('/dashboard')).headers.get('location')).toBe('/launch?error=session_expired')
    expect(await visitor.json('/api/session')).toMatchObject({ code: 'no_session' })
  }

  it('takes the app along, also what it has just read', async () => {
    const visitor = new AppVisitor(corridor)
    await visitor.launch()
    expect(await statusOf(visitor, '/dashboard')).toBe(200)
    await visitor.signOut()
    expect((await visitor.get('/api/immunizations', { accept: 'application/json' })).status).toBe(401)
    await isOver(visitor)
  })

  it('takes the app along when somebody else signs in, and not when it is the same person', async () => {
    const visitor = new AppVisitor(corridor)
    await visitor.launch()
    await visitor.signIn('clinician')
    expect(await statusOf(visitor, '/dashboard')).toBe(200)
    await visitor.signIn('clinician2')
    await isOver(visitor)
  })

  it('is heard of by a page that only asks whether the session goes on', async () => {
    const visitor = new AppVisitor(corridor)
    await visitor.launch()
    await visitor.signOut()
    expect((await visitor.get('/api/session', { accept: 'application/json' })).status).toBe(401)
  })
})

it('signing out of the app leads to where the login ends, so that nobody comes in behind who has left', async () => {
  const visitor = new AppVisitor(corridor)
  await visitor.launch()
  const left = await visitor.post('/logout')
  expect([left.status, left.headers.get('location')]).toEqual([303, `${corridor.url('auth')}/logout`])
  expect(await (await visitor.follow(left)).text()).toContain('You are signed in as <bdi>Dr Amara Okafor</bdi>')
  expect((await visitor.get('/dashboard')).headers.get('location')).toBe('/launch?error=no_session')
  await visitor.signOut()
  const next = await visitor.get(`/launch?iss=${encodeURIComponent(corridor.url('fhir'))}`)
  expect(new URL((await visitor.follow(next)).url).pathname).toBe('/login')
})

it('what goes wrong is told in the language of whoever reads, and where nobody but programs and staff reads in English', async () => {
  const headers = { accept: 'text/html', 'accept-language': 'ar-EG', cookie: 'corridor_language=ar' }
  const app = await (await fetch(`${corridor.url('immunization')}/nowhere`, { headers })).text()
  expect(app).toMatch(/^<!doctype html><html lang="ar" dir="rtl">[^]*<h1>لا يوجد شيء هنا<\/h1>/)
  expect(latinIn(app)).toEqual([])
  const store = await (await fetch(`${corridor.url('fhir')}/nowhere`, { headers })).text()
  expect(store).toMatch(/^<!doctype html><html lang="en"|"resourceType":"OperationOutcome"/)
})
