import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openBrowser,
  openBrowserMsMax,
  type PageOptions,
  type TestBrowser,
} from '../../packages/testkit/browser/browser.ts'
import { isPictured } from '../../packages/testkit/browser/screenshot.ts'
import { languages } from '../../packages/views/words/languages.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { lookFaults, pageFaults } from './page-faults.ts'
import { challengeOf } from '../../services/auth/authorize/code-challenge.ts'
import { clientId, serveApp, type ServedApp } from '../browser/smart/serve-app.ts'
import { signedIn } from './signed-in.ts'
import { tabTo } from '../browser/tab-to.ts'

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
          ...{ clientId, clientName: 'Growth charts', requiresConsent: true },
          ...{ redirectUris: [`${app.url}/callback`], launchUri: `${app.url}/launch` },
          ...{
            policyUri: `${app.url}/privacy`,
            scope: 'launch launch/patient openid fhirUser offline_access patient/*.rs',
          },
        },
      ]),
      'auth.totp': 'true',
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

const faultsOf = (page: Page, name: string) => pageFaults(page, `auth-${name}`)

async function signIn(page: Page, password = 'demo'): Promise<void> {
  await page.getByLabel('User name').fill('clinician')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

const atPortal = (options: PageOptions = {}) =>
  signedIn(`${corridor.url('auth')}/portal`, 'clinician', { browser, ...options })

const put = async (resource: { readonly resourceType: string; readonly id: string }) =>
  fetch(`${corridor.url('fhir')}/${resource.resourceType}/${resource.id}`, {
    method: 'PUT',
    headers: {
      authorization: await corridor.bearerFor({ scope: 'system/*.cruds', roles: ['SYSTEM'] }),
      'content-type': 'application/fhir+json',
    },
    body: JSON.stringify(resource),
  })

const authorizeAddress = (changes: Readonly<Record<string, string>> = {}) =>
  `${corridor.url('auth')}/oauth2/authorize?${new URLSearchParams({
    ...{ response_type: 'code', client_id: clientId, redirect_uri: `${app.url}/callback`, state: 'any-state' },
    scope: 'launch/patient openid fhirUser offline_access patient/Patient.rs patient/Observation.rs',
    ...{ aud: corridor.url('fhir'), code_challenge_method: 'S256' },
    code_challenge: challengeOf('a-verifier-that-is-long-enough-for-the-rules-of-pkce'),
    ...changes,
  })}`

describe('the pages of the authorization server', () => {
  it('login: as it is, after a wrong password, and on behalf of an app', async () => {
    await using page = await browser.page()
    await page.goto(`${corridor.url('auth')}/login`)
    expect(await faultsOf(page, 'login')).toEqual([])
    await signIn(page, 'wrong')
    await page.getByRole('alert').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("name")')).toBe('username')
    expect(await faultsOf(page, 'login-failed')).toEqual([])
    await page.goto(authorizeAddress())
    await page.getByText('Growth charts asks you to sign in.').waitFor()
    expect(await faultsOf(page, 'login-for-app')).toEqual([])
  })

  it('A16: none of them is shown inside a page of another site', async () => {
    // Data has no icon of its own, for which the browser asks sooner or later.
    await using page = await atPortal({ expectedErrors: [/frame-ancestors/, /favicon\.ico/] })
    await page.goto(`${app.url}/settings.json`)
    const frame = (address: string) =>
      page.evaluate(
        (src) =>
          new Promise((resolve) => {
            const made = Object.assign(document.createElement('iframe'), { src, onload: resolve, onerror: resolve })
            document.body.replaceChildren(made)
          }),
        address,
      )
    // The page may know of it before we are told.
    const framed = () => page.frames()[1]?.url()
    await frame(`${app.url}/settings.json?again`)
    await expect.poll(framed).toBe(`${app.url}/settings.json?again`)
    for (const path of ['/login', '/portal', '/account/apps', authorizeAddress().slice(corridor.url('auth').length)]) {
      await frame(corridor.url('auth') + path)
      await expect.poll(framed, { message: path }).toMatch(/^chrome-error:/)
    }
  })

  it('portal: everybody, nobody, and a patient with the apps to open', async () => {
    await using page = await atPortal()
    await page.getByRole('link', { name: 'Amina Diallo' }).waitFor()
    expect(await faultsOf(page, 'portal')).toEqual([])
    await page.goto(`${corridor.url('auth')}/portal?search=nobodyatall`)
    await page.getByText('Nobody was found').waitFor()
    expect(await faultsOf(page, 'portal-nobody')).toEqual([])
    await page.goto(`${corridor.url('auth')}/portal/patients/amina-diallo`)
    await page.getByRole('heading', { name: 'Open an app' }).waitFor()
    expect(await faultsOf(page, 'launch')).toEqual([])
  })

  it('portal: two records of one person, in the list and at either of them', async () => {
    const record = (id: string, number: string, facility: string) => ({
      ...{ resourceType: 'Patient', id, gender: 'female', birthDate: '2025-09-01' },
      name: [{ family: 'Wekesa', given: ['Neema'] }],
      identifier: [{ type: { coding: [{ code: 'MR' }] }, system: `urn:number-of:${facility}`, value: number }],
      managingOrganization: { reference: `Organization/${facility}` },
      ...(id === 'neema-1' ? {} : { link: [{ type: 'refer', other: { reference: 'Patient/neema-1' } }] }),
    })
    await put({ ...{ resourceType: 'Organization', id: 'harbour' }, ...{ name: 'Harbour Clinic' } })
    await put({ ...{ resourceType: 'Organization', id: 'hill' }, ...{ name: 'Hill Hospital' } })
    await put(record('neema-1', 'H-4711', 'harbour'))
    await put(record('neema-2', '000815', 'hill'))
    await using page = await atPortal()
    await page.goto(`${corridor.url('auth')}/portal?search=Wekesa`)
    await page.getByText('Another record of this person is in this list').first().waitFor()
    expect(await faultsOf(page, 'portal-one-person')).toEqual([])
    await page.goto(`${corridor.url('auth')}/portal/patients/neema-1`)
    await page.getByText('This person also has a record at Hill Hospital').waitFor()
    expect(await faultsOf(page, 'portal-other-record')).toEqual([])
    await page.getByRole('link', { name: /Hill Hospital/ }).click()
    await page.getByRole('link', { name: /Harbour Clinic/ }).waitFor()
    for (const at of [3, 4, 5, 6, 7]) await put(record(`neema-${at}`, `N-${at}`, 'hill'))
    await page.goto(`${corridor.url('auth')}/portal?search=Wekesa`)
    const told = await page.getByText(/6 other records of this person are in this list, among them: /).allTextContents()
    expect(told.map((text) => text.match(/Record no\./g)?.length)).toEqual(Array(7).fill(5))
  })

  it('portal: the latest visits first, though nobody has said of any that it has ended', async () => {
    await put({ ...{ resourceType: 'Patient', id: 'often' }, ...{ name: [{ family: 'Often' }] } })
    const years = Array.from({ length: 30 }, (_, at) => 1990 + ((at * 7) % 30))
    for (const year of years) {
      await put({
        ...{ resourceType: 'Encounter', id: `of-${year}`, status: 'finished', class: { code: 'AMB' } },
        ...{ subject: { reference: 'Patient/often' }, period: { start: `${year}-05-06` } },
      })
    }
    await using page = await atPortal()
    await page.goto(`${corridor.url('auth')}/portal/patients/often`)
    const visits = await page.getByLabel('Visit').locator('option').allTextContents()
    const latest = years.toSorted((one, other) => other - one).slice(0, 20)
    expect(visits.slice(1).map((visit) => Number(visit.slice(0, 4)))).toEqual(latest)
  })

  it('picker, consent with its parts, and no app with access', async () => {
    await using page = await atPortal()
    await page.goto(authorizeAddress())
    await page.getByRole('heading', { name: 'Choose a patient' }).waitFor()
    expect(await faultsOf(page, 'picker')).toEqual([])
    await page.getByRole('searchbox').fill('diallo')
    await page.getByRole('button', { name: 'Amina Diallo' }).click()
    await page.getByRole('heading', { name: 'Allow access' }).waitFor()
    await page.getByText('12 Apr 1998').waitFor()
    expect(await lookFaults(page, 'auth-consent-closed')).toEqual([])
    await page.getByText('Or only a part of it').first().click()
    expect(await faultsOf(page, 'consent')).toEqual([])
    await page.getByRole('button', { name: 'Do not allow' }).click()
    await page.waitForURL(`${app.url}/callback?*error=access_denied*`)
    await page.goto(`${corridor.url('auth')}/account/apps`)
    expect(await faultsOf(page, 'apps-none')).toEqual([])
  })

  it('errors: an unknown app, a launch token that is gone', async () => {
    await using page = await atPortal({ expectedErrors: [/40[01]/] })
    for (const [name, address] of [
      ['error-unknown-app', authorizeAddress({ client_id: 'nobodys-app' })],
      ['error-launch', authorizeAddress({ launch: 'used-or-never-made' })],
    ] as const) {
      await page.goto(address)
      expect(await faultsOf(page, name)).toEqual([])
    }
  })

  // One that is read from right to left finds what others would; all of them are for people's eyes.
  it.each(isPictured ? languages : (['ar'] as const))('those that a patient meets, in %s', async (language) => {
    await using page = await browser.page({ context: { locale: language }, expectedErrors: [/400/] })
    await page.goto(authorizeAddress())
    expect(await page.getAttribute('html', 'lang')).toBe(language)
    expect(await faultsOf(page, `login-${language}`)).toEqual([])
    await page.locator('[name=username]').fill('patient')
    await page.locator('[name=password]').fill('demo')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/oauth2/authorize/consent?*')
    await page.locator('summary').first().click()
    expect(await faultsOf(page, `consent-${language}`)).toEqual([])
    // Twice: the second time it stands with the first.
    for (const _time of ['first', 'second']) {
      await page.goto(`${app.url}/launch?iss=${encodeURIComponent(corridor.url('fhir'))}`)
      await page.locator('[name=decision][value=allow]').click()
      await page.getByText('The chart of Amina Diallo').waitFor()
    }
    await page.goto(`${corridor.url('auth')}/account/apps`)
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Growth charts'])
    expect(await lookFaults(page, `auth-apps-closed-${language}`, 'phone')).toEqual([])
    await page.locator('summary').focus()
    await page.keyboard.press('Enter')
    await page.locator('td [data-opens^=take-]').first().waitFor()
    expect(await faultsOf(page, `apps-${language}`)).toEqual([])
    await page.locator('[data-opens^=take-]').first().click()
    expect(await lookFaults(page, `auth-apps-asked-${language}`, 'phone')).toEqual([])
    await page.keyboard.press('Escape')
    await page.goto(`${corridor.url('auth')}/logout`)
    expect(await faultsOf(page, `logout-${language}`)).toEqual([])
    await page.goto(authorizeAddress({ client_id: 'nobodys-app' }))
    expect(await faultsOf(page, `error-${language}`)).toEqual([])
  })

  it('portal without a FHIR server: a page that says what to do', async () => {
    await using alone = await testCorridor({ services: ['auth'] })
    await using page = await browser.page({ expectedErrors: [/502/] })
    await page.goto(`${alone.url('auth')}/portal`)
    await signIn(page)
    await page.getByText('The FHIR server that holds the patients cannot be reached.').waitFor()
    expect(await faultsOf(page, 'portal-502')).toEqual([])
  })
})

describe('with the keyboard alone', () => {
  it('a clinician signs in, finds a patient, opens an app for a visit, allows it and takes the access away', async () => {
    await using page = await browser.page()
    const { keyboard } = page
    await page.goto(`${corridor.url('auth')}/portal`)
    await tabTo(page, 'User name')
    await keyboard.type('clinician')
    await tabTo(page, 'Password')
    await keyboard.type('demo')
    await keyboard.press('Enter')
    await page.waitForURL('**/portal')

    await keyboard.press('/')
    await keyboard.type('diallo')
    await page.waitForURL('**/portal?search=diallo')
    await page.getByRole('link', { name: 'Amina Diallo' }).waitFor()
    await keyboard.press('ArrowDown')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Open an app' }).waitFor()

    await tabTo(page, 'App')
    await keyboard.type('Growth')
    await tabTo(page, 'Visit (optional)')
    await keyboard.press('ArrowDown')
    await tabTo(page, 'Open')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Allow access' }).waitFor()
    await tabTo(page, 'Allow')
    await keyboard.press('Enter')
    await page.waitForURL(`${app.url}/callback?*`)
    await page.getByText('The chart of Amina Diallo').waitFor()

    await page.goto(`${corridor.url('auth')}/account/apps`)
    expect(await faultsOf(page, 'apps')).toEqual([])
    await tabTo(page, 'Take away the access of Growth charts')
    await keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Take away its access?' }).waitFor()
    expect(await lookFaults(page, 'auth-apps-asked', 'phone')).toEqual([])
    await tabTo(page, 'Take it away')
    await keyboard.press('Enter')
    await page.getByText('No app has access').waitFor()
    await page.getByRole('alert').getByText('The app has no access any more').waitFor()
    expect(new URL(page.url()).pathname).toBe('/account/apps')
  })
})
