import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page, Request, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser, type TestBrowser } from '../../../packages/testkit/browser/browser.ts'
import { SmartApp } from '../testing/smart-app.ts'
import { startTestAuth, type TestAuth } from '../testing/test-auth.tsx'

/** An app elsewhere: all that matters here is that the browser arrives. */
const app = createServer((request, response) => {
  response.setHeader('content-type', 'text/html')
  response.end(`<!doctype html><html lang="en"><title>App</title><p>${request.url?.split('?')[0]}</p></html>`)
})

let auth: TestAuth
let browser: TestBrowser
let appUrl = ''
const untrusted = 'pilot.test'
const installMsMax = 360_000

beforeAll(async () => {
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`
  auth = await startTestAuth(options())
  browser = await openBrowser({ names: [untrusted] })
}, installMsMax)
afterAll(async () => {
  await browser?.close()
  await auth?.[Symbol.asyncDispose]()
  app.closeAllConnections()
  app.close()
})

async function signIn(page: Page, password = 'demo'): Promise<void> {
  await page.getByLabel('User name').fill('clinician')
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
}

const options = () => ({
  section: { clientUrl: appUrl, totp: true },
  clients: [
    {
      clientId: 'chart-app',
      clientName: 'Growth charts',
      redirectUris: [`${appUrl}/callback`],
      launchUri: `${appUrl}/launch`,
      requiresConsent: true,
      policyUri: 'https://app.example/privacy',
    },
  ],
})

/** What people do on these pages; how each of them looks is looked at in test/pages/auth-pages. */
describe('in a real browser', () => {
  it('a clinician signs in, finds a patient by typing, and opens an app', async () => {
    await using page = await browser.page()
    await page.goto(`${auth.url}/portal`)
    await signIn(page, 'wrong')
    await page.getByRole('alert').waitFor()
    await signIn(page)
    // Whole, with the script that knows the key.
    await page.waitForURL(`${auth.url}/portal`)
    await page.getByRole('heading', { name: 'Patients', exact: true }).waitFor()

    await page.keyboard.press('/')
    await page.keyboard.type('kofi')
    await page.getByRole('link', { name: 'Amina Diallo' }).waitFor({ state: 'detached' })
    await page.waitForURL((url) => url.searchParams.get('search') === 'kofi')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Open an app' }).waitFor()
    await page.getByRole('button', { name: 'Open' }).click()
    await page.waitForURL(`${appUrl}/launch?*`)
    expect(new URL(page.url()).searchParams.get('iss')).toBe(auth.fhirBase)
  })

  it('says what to do when nobody is found and when the FHIR server is down', async () => {
    await using page = await browser.page({ expectedErrors: [/502/] })
    await page.goto(`${auth.url}/login`)
    await signIn(page)
    await page.waitForURL(`${auth.url}/portal`)
    await page.goto(`${auth.url}/portal?search=nobodyatall`)
    expect(await page.getByText('Nobody was found').isVisible()).toBe(true)
    await using broken = await startTestAuth({ fhirBase: 'http://127.0.0.1:9/fhir' })
    await page.goto(`${broken.url}/login`)
    await signIn(page)
    await page.getByText('The FHIR server that holds the patients cannot be reached.').waitFor()
  })

  it('says when a search takes long, and when it did not work', async () => {
    await using page = await browser.page({ expectedErrors: [/ERR_FAILED/] })
    await page.goto(`${auth.url}/login`)
    await signIn(page)
    await page.waitForURL(`${auth.url}/portal`)
    const found = page.locator('#found')
    const held = Promise.withResolvers<Route>()
    const searchesFor = (text: string) => (url: URL) => url.searchParams.get('search') === text
    await page.route(searchesFor('kofi'), held.resolve)
    await page.getByRole('searchbox').fill('kofi')
    await page.getByRole('alert').getByText('Still searching').waitFor()
    expect(await found.getByRole('link', { name: 'Amina Diallo' }).isVisible()).toBe(true)
    await (await held.promise).continue()
    await found.getByRole('link', { name: 'Amina Diallo' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)

    await page.route(searchesFor('amina'), (route) => route.abort())
    await page.getByRole('searchbox').fill('amina')
    await page.getByRole('alert').getByText('press Enter to try again').waitFor()
    expect(await found.getByRole('link', { name: 'Kofi Mensah' }).isVisible()).toBe(true)
    await page.unrouteAll()
    await page.getByRole('searchbox').press('Enter')
    await found.getByRole('link', { name: 'Amina Diallo' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('a user picks a patient for an app, agrees, and takes the access away again', async () => {
    await using page = await browser.page()
    const smart = new SmartApp(auth, 'chart-app')
    const scope = 'launch/patient openid fhirUser offline_access patient/Observation.rs patient/Patient.rs'
    const query = smart.parameters({ redirect_uri: `${appUrl}/callback`, scope })
    await page.goto(`${auth.url}/oauth2/authorize?${query}`)
    await page.getByText('Growth charts asks you to sign in.').waitFor()
    await signIn(page)
    await page.getByRole('heading', { name: 'Choose a patient' }).waitFor()
    await page.getByRole('button', { name: 'Amina Diallo' }).click()
    await page.getByRole('heading', { name: 'Allow access' }).waitFor()
    await page.getByText('Or only a part of it').click()
    await page.getByLabel('Only laboratory results').check()
    await page.getByLabel('Read measurements and results of this patient').uncheck()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${appUrl}/callback?*`)
    const code = new URL(page.url()).searchParams.get('code') ?? ''
    const tokens = await smart.exchange(code, { redirect_uri: `${appUrl}/callback` })
    expect(await tokens.json()).toMatchObject({
      patient: 'amina-diallo',
      scope: expect.stringContaining('observation-category|laboratory'),
    })
    await page.goto(`${auth.url}/account/apps`)
    await page.getByRole('button', { name: 'Take away the access of Growth charts' }).click()
    await page.getByRole('button', { name: 'Take it away' }).click()
    await page.getByText('No app has access').waitFor()
  })

  it('all of it works under a name that the browser does not trust, and forms of others are refused there, too', async () => {
    await using pilot = await startTestAuth({ ...options(), host: untrusted })
    await using page = await browser.page({
      expectedErrors: [/Cross-Origin-Opener-Policy header has been ignored/, /403/],
    })
    const posts: Request[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(request)
    })
    const told = async () => {
      const headers = await Promise.all(posts.map((request) => request.allHeaders()))
      return headers.map(({ origin, 'sec-fetch-site': site }) => [site, origin])
    }
    const scope = 'launch/patient openid fhirUser patient/Observation.rs'
    const query = new SmartApp(pilot, 'chart-app').parameters({ redirect_uri: `${appUrl}/callback`, scope })
    await page.goto(`${pilot.url}/oauth2/authorize?${query}`)
    await signIn(page)
    await page.getByRole('button', { name: 'Amina Diallo' }).click()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${appUrl}/callback?*`)
    expect(await told()).toEqual(posts.map(() => [undefined, pilot.url]))
    expect(posts).toHaveLength(3)
    await page.setContent(`<form method="post" action="${pilot.url}/logout"><button>Sign out</button></form>`)
    await page.getByRole('button').click()
    await page.getByText('page of another site').waitFor()
    expect((await told()).at(-1)).toEqual([undefined, appUrl])
    await page.goto(`${pilot.url}/portal`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${pilot.url}/login?logout`)
  })

  it('a choice ends the search that is still under way', async () => {
    await using page = await browser.page()
    const query = new SmartApp(auth, 'chart-app').parameters({
      ...{ redirect_uri: `${appUrl}/callback`, scope: 'launch/patient patient/Patient.rs' },
    })
    await page.goto(`${auth.url}/oauth2/authorize?${query}`)
    await signIn(page)
    await page.getByRole('heading', { name: 'Choose a patient' }).waitFor()
    // Both are held back until the test says: the search is under way when the choice is made.
    const isChoice = ({ pathname, searchParams }: URL) =>
      pathname === '/oauth2/authorize/patient' && !searchParams.has('search')
    const [search, choice] = [Promise.withResolvers<Route>(), Promise.withResolvers<Route>()]
    await page.route(({ searchParams }) => searchParams.get('search') === 'amina', search.resolve)
    await page.route(isChoice, choice.resolve)
    await page.getByRole('searchbox').fill('amina')
    const searched = (await search.promise).request()
    const ended = page.waitForEvent('requestfailed', (request) => request === searched)
    await page.getByRole('button', { name: 'Amina Diallo' }).click({ noWaitAfter: true })
    const chosen = await choice.promise
    // Ended before the choice was answered: no answer to it can come between the choice and where that leads.
    expect((await ended).failure()?.errorText).toBe('net::ERR_ABORTED')
    await chosen.continue()
    await page.getByRole('heading', { name: 'Allow access' }).waitFor()
  })
})
