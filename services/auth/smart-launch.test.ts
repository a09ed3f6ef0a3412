import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOf, launchToken, SmartApp, type Tokens } from './testing/smart-app.ts'
import { startTestAuth, type TestAuth } from './testing/test-auth.tsx'

let auth: TestAuth
beforeAll(async () => {
  auth = await startTestAuth()
})
afterAll(() => auth?.[Symbol.asyncDispose]())

describe('an EHR launch', () => {
  it('goes from the portal to tokens with the patient and the encounter', async () => {
    const browser = auth.browser()
    expect((await browser.signIn()).status).toBe(303)
    const launch = await launchToken(browser, { encounterId: 'visit-1' })
    const app = new SmartApp(auth)
    const code = await app.code({ launch, scope: 'launch openid fhirUser patient/Patient.rs' }, browser)
    const response = await app.exchange(code)
    expect(response.status).toBe(200)
    const tokens = (await response.json()) as Tokens
    expect(tokens).toMatchObject({ patient: 'amina-diallo', encounter: 'visit-1', need_patient_banner: true })
    expect(tokens.scope).toBe('launch openid fhirUser patient/Patient.rs')
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'dr-amara', patient: 'amina-diallo' })
  })

  it('comes back to the request after the login', async () => {
    const signedIn = auth.browser()
    await signedIn.signIn()
    const launch = await launchToken(signedIn)
    const browser = auth.browser()
    const app = new SmartApp(auth)
    const toLogin = await app.authorize(browser, { launch, scope: 'launch openid' })
    const request = answerOf(toLogin).get('request') ?? ''
    const after = await browser.follow(await browser.signIn('clinician', 'demo', { request }))
    expect(answerOf(after).get('state')).toBe(app.state)
    expect(answerOf(after).get('code')).toMatch(/^[\w-]{43}$/)
  })
})
