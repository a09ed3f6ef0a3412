import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServerAwayPage } from '../../packages/sign-in/server-away.tsx'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { MovedClock } from '../../packages/testkit/moved-clock.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { assetsVersion } from '../../packages/views/assets.ts'
import { renderPage } from '../../packages/views/render.ts'
import { pageFaults } from './page-faults.ts'
import { signedIn } from './signed-in.ts'

// It stands still: who has to wait does so for as long as the test looks.
const clock = new MovedClock(new Date())
let corridor: TestCorridor
let browser: TestBrowser

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir'], clock })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
})

const at = (path: string) => `${corridor.url('auth')}${path}`
const faultsOf = (page: Page, name: string) => pageFaults(page, `auth-${name}`)

describe('pages for what seldom happens', () => {
  it('the login page when somebody has to wait', async () => {
    await using page = await browser.page({ expectedErrors: [/429/] })
    await page.goto(at('/login'))
    for (let failure = 0; failure < 6; failure++) {
      await page.getByLabel('User name').fill('nobody')
      await page.getByLabel('Password').fill('wrong')
      await page.keyboard.press('Enter')
      await page.getByText(failure < 5 ? 'That did not work' : 'Please wait').waitFor()
    }
    expect(await faultsOf(page, 'login-wait')).toEqual([])
  })

  it('a search that takes long, and one that did not work', async () => {
    await using page = await signedIn(at('/portal'), 'clinician', { browser, expectedErrors: [/ERR_FAILED/] })
    const held = Promise.withResolvers<void>()
    await page.route(
      (url) => url.searchParams.has('search'),
      async (route) => {
        await held.promise
        await route.abort()
      },
    )
    await page.getByRole('searchbox').fill('diallo')
    await page.getByText('Still searching').waitFor()
    expect(await faultsOf(page, 'search-slow')).toEqual([])
    held.resolve()
    await page.getByText('The search did not work').waitFor()
    expect(await faultsOf(page, 'search-failed')).toEqual([])
  })

  it('signing out of a login that was idle for too long', async () => {
    await using page = await signedIn(at('/portal'), 'clinician', { browser })
    clock.forward(31 * 60)
    await page.goto(at('/logout'))
    await page.getByText('This login has been idle for a while.').waitFor()
    expect(await faultsOf(page, 'logout-idle')).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out').waitFor()
  })

  it('an authorization server that does not answer', async () => {
    await using page = await browser.page({ expectedErrors: [/503/] })
    const assetUrl = (name: string) => `/assets/${assetsVersion()}/${name}`
    const body = renderPage(<ServerAwayPage to="/list?page=2" language="ar" assetUrl={assetUrl} />)
    await page.route('**/sign-in/callback', (route) => route.fulfill({ status: 503, contentType: 'text/html', body }))
    await page.goto(at('/sign-in/callback'))
    expect(await faultsOf(page, 'server-away')).toEqual([])
  })
})
