import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemIds } from '../../packages/clock/ids.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { pageFaults } from './page-faults.ts'
import { signedIn } from './signed-in.ts'

/** Two people at one browser, one after the other: what the first has opened, the second does not do. */

let corridor: TestCorridor
let browser: TestBrowser
const note = 'What Dr Okafor had typed'

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'referral'] })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
})

/** In another tab, after whoever was signed in has signed out, or their login has ended. */
async function signInInstead(of: Page, user: string, url: string): Promise<void> {
  await of.context().clearCookies()
  const other = await of.context().newPage()
  await other.goto(url)
  await other.getByLabel('User name').fill(user)
  await other.getByLabel('Password').fill('demo')
  await other.keyboard.press('Enter')
  await other.waitForURL(url)
  await other.close()
}

describe.each([true, false])('a draft that somebody was writing, in a browser with scripts: %s', (javaScript) => {
  const open = async (): Promise<Page> => {
    const url = `${corridor.url('referral')}/new?patient=amina-diallo`
    const page = await signedIn(url, 'clinician', {
      ...{ browser, javaScript, expectedErrors: [/status of 403/], person: systemIds.uuid() },
    })
    await page.getByLabel('To', { exact: true }).selectOption({ label: 'Lakeside Clinic' })
    await page.getByLabel('What is asked').fill(note)
    return page
  }
  const keep = (page: Page) => page.getByRole('button', { name: 'Keep as draft' }).click()
  const drafts = async () => {
    await using opened = new AsyncDisposableStack()
    const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
    opened.defer(() => database.close())
    const { count } = await database.one<{ count: string }>(
      sql`select count(*) as count from referral.referrals where referral_display = ${note}`,
    )
    return Number(count)
  }

  it('is not kept in the name of who has signed in since, and not shown to them', async () => {
    const page = await open()
    const before = await drafts()
    await signInInstead(page, 'clinician2', `${corridor.url('referral')}/`)
    await keep(page)
    await page.getByRole('heading', { name: 'Somebody else had opened this page' }).waitFor()
    expect(await page.content()).not.toContain(note)
    // To look at a page closely takes its scripts.
    expect(javaScript ? await pageFaults(page, 'form-of-another') : []).toEqual([])
    expect(await drafts()).toBe(before)
    await page.close()
  })

  it('is kept when its writer has signed in anew', async () => {
    const page = await open()
    const before = await drafts()
    await signInInstead(page, 'clinician', `${corridor.url('referral')}/`)
    await keep(page)
    await page.waitForURL(/\/referrals\/\d+/)
    expect(await drafts()).toBe(before + 1)
    await page.close()
  })

  it.each([
    ['clinician', 'kept by who has typed it'],
    ['clinician2', 'not kept by anybody else'],
  ])('that came after the session was over is, if sent by %s, %s', async (user) => {
    const page = await open()
    const before = await drafts()
    await page.context().clearCookies()
    await keep(page)
    await page.getByRole('heading', { name: 'Please sign in again' }).waitFor()
    await signInInstead(page, user, `${corridor.url('referral')}/`)
    await page.getByRole('button', { name: 'Send it now' }).click()
    if (user === 'clinician') await page.waitForURL(/\/referrals\/\d+/)
    else await page.getByRole('heading', { name: 'Somebody else had opened this page' }).waitFor()
    expect(await drafts()).toBe(user === 'clinician' ? before + 1 : before)
    await page.close()
  })
})
