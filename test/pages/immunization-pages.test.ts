import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accessibilityViolations, colourRules } from '../../packages/testkit/browser/axe.ts'
import { openBrowser, openBrowserMsMax, type TestBrowser } from '../../packages/testkit/browser/browser.ts'
import { screenshot } from '../../packages/testkit/browser/screenshot.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { languages } from '../../packages/views/words/languages.ts'
import { desktop, pageFaults, phone } from './page-faults.ts'
import { openApp } from '../browser/immunization/open-app.ts'

let corridor: TestCorridor
let browser: TestBrowser

beforeAll(async () => {
  corridor = await testCorridor({ services: ['auth', 'fhir', 'immunization'] })
  browser = await openBrowser()
}, openBrowserMsMax)
afterAll(async () => {
  await browser?.close()
  await corridor?.[Symbol.asyncDispose]()
})

const faultsOf = (page: Page, name: string) => pageFaults(page, `immunization-${name}`)

const app = (path: string) => `${corridor.url('immunization')}${path}`

const pages = [
  ['dashboard', '/dashboard'],
  ['history', '/history'],
  ['history-filtered', '/history?vaccineCode=208'],
  ['history-none', '/history?vaccineCode=208&to=1999-01-01&from=yesterday'],
  ['recommendations', '/recommendations'],
  ['certificate', '/certificate'],
] as const

/** What stands on the same place in the head of a page. */
const coveredInHead = `(() => {
  const parts = [...document.querySelectorAll('.brand, .session-clock, .user button, .site-nav a')]
  const [boxes, texts] = [parts.map((part) => part.getBoundingClientRect()), parts.map(({ innerText }) => innerText)]
  const meet = (one, other) =>
    one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
  return boxes.flatMap((one, at) => texts.filter((_, to) => to > at && meet(one, boxes[to])).map((text) => [texts[at], text]))
})()`

describe('the pages of the immunization app, launched from the portal', () => {
  let page: Page
  beforeAll(async () => {
    page = await browser.page()
    await openApp(page, corridor)
  })
  afterAll(() => page?.close())

  it.each(pages)('%s is fit to be used', async (name, path) => {
    await page.goto(app(path))
    expect(await faultsOf(page, name)).toEqual([])
  })

  it.each(languages)('nothing covers anything on the narrowest screens, in %s', async (language) => {
    await page.setViewportSize({ width: 320, height: 568 })
    for (const [name, path] of pages) {
      await page.goto(app(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`))
      await screenshot(page, `immunization-${name}-${language}-320`)
      expect(await page.evaluate<unknown>(coveredInHead), `${name} in ${language}`).toEqual([])
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    }
    await page.goto(app('/dashboard?lang=en'))
  })

  it.each(['fr', 'es', 'ar', 'sw'])('they are in %s once it was chosen', async (language) => {
    await page.goto(app(`/dashboard?lang=${language}`))
    await page.emulateMedia({ colorScheme: 'light' })
    for (const [name, path] of pages.filter(([each]) => !each.startsWith('history-'))) {
      await page.goto(app(path))
      expect(await page.locator('html').getAttribute('lang')).toBe(language)
      for (const size of [desktop, phone]) {
        await page.setViewportSize(size)
        await screenshot(page, `immunization-${name}-${language}-${size.width}`)
        expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
      }
      // Colours are the same in every language.
      expect(await accessibilityViolations(page, { without: colourRules })).toEqual([])
    }
  })
})

describe('the start page', () => {
  let page: Page
  beforeAll(async () => {
    page = await browser.page({ expectedErrors: [/400/] })
  })
  afterAll(() => page?.close())

  it.each([
    ['launch', '/launch'],
    ['launch-session-expired', '/launch?error=session_expired'],
    ['launch-failed', '/launch?error=token_exchange_failed'],
    ['launch-unknown-issuer', '/launch?iss=https%3A%2F%2Fevil.example'],
    ['launch-ar', '/launch?error=session_expired&lang=ar'],
  ])('%s is fit to be used', async (name, path) => {
    await page.goto(app(path))
    expect(await faultsOf(page, name)).toEqual([])
  })
})
