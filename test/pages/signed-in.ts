import type { Page } from 'playwright-core'
import type { PageOptions, TestBrowser } from '../../packages/testkit/browser/browser.ts'

/** Opens a page of a service for somebody, who signs in where that leads to and comes back; once is enough. */
export async function signedIn(
  url: string,
  user: string,
  { browser, ...options }: PageOptions & { readonly browser: TestBrowser },
): Promise<Page> {
  const page = await browser.page({ person: user, ...options })
  await page.goto(url)
  if (new URL(page.url()).pathname === '/login') {
    await page.getByLabel('User name').fill(user)
    await page.getByLabel('Password').fill('demo')
    await page.keyboard.press('Enter')
  }
  await page.waitForURL(url)
  return page
}
