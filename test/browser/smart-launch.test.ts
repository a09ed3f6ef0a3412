import { decodeJwt } from 'jose'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { clientId, serveApp, type Seen, type ServedApp } from './smart/serve-app.ts'

let app: ServedApp
let corridor: TestCorridor
let browser: TestBrowser

beforeAll(async () => {
  app = await serveApp()
  corridor = await testCorridor({
    services: ['auth', 'fhir'],
    settings: {
      'auth.clients': JSON.stringify([
        {
          ...{ clientId, clientName: 'Growth charts' },
          ...{ redirectUris: [`${app.url}/callback`], launchUri: `${app.url}/launch` },
          scope: 'launch launch/patient openid fhirUser offline_access patient/*.rs user/Practitioner.rs',
        },
      ]),
      'fhir.allowedOrigins': app.url,
    },
  })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
  await app?.[Symbol.asyncDispose]()
})

async function signIn(page: Page, username: string): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password').fill('demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Waits until the app has read, refreshed its token and read again; answers with what it saw. */
async function seenBy(page: Page): Promise<Seen> {
  await page.waitForURL(`${app.url}/callback?*`)
  await page.waitForFunction('window.seen')
  return page.evaluate<Seen>('window.seen')
}

const withoutTokens = ({ accessToken: _access, refreshToken: _refresh, ...rest }: Seen['launched']) => rest
const clinician = { user: 'Amara Okafor', fhirUser: 'Practitioner/dr-amara' }

describe('an app built on the unmodified fhirclient, in a real browser', () => {
  it('is launched by a clinician for a patient and a visit, reads both people, refreshes and reads again', async () => {
    await using page = await browser.page()
    await page.goto(`${corridor.url('auth')}/portal`)
    await signIn(page, 'clinician')
    await page.getByRole('searchbox').fill('diallo')
    await page.getByRole('link', { name: 'Amina Diallo' }).click()
    await page.getByLabel('App').selectOption('Growth charts')
    const visit = page.getByLabel('Visit')
    await visit.selectOption({ index: 1 })
    const encounterId = await visit.inputValue()
    await page.getByRole('button', { name: 'Open' }).click()

    const seen = await seenBy(page)
    expect(seen.error).toBeUndefined()
    const expected = { patient: 'Amina Diallo', patientId: 'amina-diallo', encounterId, ...clinician }
    expect(withoutTokens(seen.launched)).toEqual(expected)
    expect(withoutTokens(seen.refreshed)).toEqual(expected)
    expect(seen.refreshed.accessToken).not.toBe(seen.launched.accessToken)
    expect(seen.refreshed.refreshToken).not.toBe(seen.launched.refreshToken)
    expect(decodeJwt(seen.refreshed.accessToken)).toMatchObject({
      client_id: clientId,
      patient: 'amina-diallo',
      encounter: encounterId,
    })
  })

  it('starts by itself: the clinician signs in, picks a patient, and the app gets that one', async () => {
    await using page = await browser.page()
    await page.goto(`${app.url}/launch?iss=${encodeURIComponent(corridor.url('fhir'))}`)
    await page.getByText('Growth charts asks you to sign in.').waitFor()
    await signIn(page, 'clinician')
    await page.getByRole('heading', { name: 'Choose a patient' }).waitFor()
    await page.getByRole('searchbox').fill('diallo')
    await page.getByRole('button', { name: 'Amina Diallo' }).click()
    const seen = await seenBy(page)
    expect(seen.error).toBeUndefined()
    const expected = { patient: 'Amina Diallo', patientId: 'amina-diallo', encounterId: null, ...clinician }
    expect(withoutTokens(seen.launched)).toEqual(expected)
    expect(withoutTokens(seen.refreshed)).toEqual(expected)
  })

  it('starts by itself for a patient, who has one record to choose from: their own', async () => {
    await using page = await browser.page()
    await page.goto(`${app.url}/launch?iss=${encodeURIComponent(corridor.url('fhir'))}`)
    await signIn(page, 'patient')
    const seen = await seenBy(page)
    expect(seen.error).toBeUndefined()
    expect(withoutTokens(seen.refreshed)).toEqual({
      ...{ patient: 'Amina Diallo', patientId: 'amina-diallo', encounterId: null },
      ...{ user: 'Amina Diallo', fhirUser: 'Patient/amina-diallo' },
    })
  })

  it('starts by itself in a window of its own, which hands the answer to the page that opened it', async () => {
    await using page = await browser.page()
    const opening = page.waitForEvent('popup')
    await page.goto(`${app.url}/launch?target=popup&iss=${encodeURIComponent(corridor.url('fhir'))}`)
    const popup = await opening
    await signIn(popup, 'clinician')
    await popup.getByRole('searchbox').fill('diallo')
    const closing = popup.waitForEvent('close')
    await popup.getByRole('button', { name: 'Amina Diallo' }).click()
    await closing
    const seen = await seenBy(page)
    expect(seen.error).toBeUndefined()
    expect(withoutTokens(seen.refreshed)).toMatchObject({ patientId: 'amina-diallo', ...clinician })
  })

  it('gets nothing with a launch token that was used before', async () => {
    await using page = await browser.page({ expectedErrors: [/401/] })
    await page.goto(`${corridor.url('auth')}/portal`)
    await signIn(page, 'clinician')
    await page.waitForURL('**/portal')
    await page.goto(`${corridor.url('auth')}/portal/patients/amina-diallo`)
    await page.getByLabel('App').selectOption('Growth charts')
    const launching = page.waitForRequest(`${app.url}/launch?*`)
    await page.getByRole('button', { name: 'Open' }).click()
    const launchAddress = (await launching).url()
    expect((await seenBy(page)).error).toBeUndefined()
    await page.goto(launchAddress)
    await page.getByText('launch token not found, expired or already used').waitFor()
  })
})
